import { randomUUID } from 'node:crypto'
import type { Claim, ClaimedDelivery, Condition, Records, Transaction } from '@sales-crm/core/ports'
import { type Connection, sqlStorage } from '@sales-crm/sql'
import { expect, test } from 'vitest'
import { sqliteDialect } from '../../src/dialect/sqlite-dialect.ts'
import { createConnection } from '../../src/files/file-connection.ts'
import { openWriter } from '../../src/files/open-file.ts'
import { sqliteStorage } from '../../src/index.ts'
import { createTempPath, WORKSPACE } from '../harness.ts'

const AT = '2026-03-01T12:00:00.000Z'
const secondsAfter = (seconds: number) => new Date(Date.parse(AT) + seconds * 1000).toISOString()
const BY_KEY =
  'SEARCH deliveries USING COVERING INDEX sqlite_autoindex_deliveries_1 (workspace_id=? AND id=?)'
const [DEAD, OTHER] = [randomUUID(), randomUUID()]
const CLAIM: Claim = {
  now: AT,
  leaseUntil: secondsAfter(60),
  horizon: secondsAfter(3600),
  maxPerQueue: 20,
  quota: ({ host, dueCount: waiting }) => (host === 'dead.example' ? 0 : waiting),
}

type WebhookCondition = { readonly field: 'webhook_id'; readonly is: string }

const stamps = { created_at: AT, updated_at: AT }

function delivery(
  event: string,
  due_at: string | null,
  webhook_id = randomUUID(),
): ClaimedDelivery['delivery'] {
  const attemptFields = { attempts: [], attempts_count: 0, last_attempt: false, sending: false, lease: 0 }
  return {
    id: randomUUID(),
    webhook_id,
    event,
    snapshot_id: randomUUID(),
    status: 'pending',
    reason: null,
    ...attemptFields,
    due_at,
    ...stamps,
  }
}

function snapshot(id: string, created_at = secondsAfter(1)): Records['snapshots'] {
  return { id, entity: '"task":{}}', subject: null, created_at, updated_at: created_at }
}

/**
 * Creates a storage that records the query plan of each statement, on a file with 10,000 deliveries due for
 * an unreachable host.
 */
async function createExplainingStorage() {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  const rows = [
    ...Array.from({ length: 10_000 }, (_, nth) => delivery('dead', secondsAfter(-nth - 1000), DEAD)),
    ...Array.from({ length: 1000 }, (_, nth) => delivery('later', secondsAfter(nth + 1))),
    ...Array.from({ length: 1000 }, () => delivery('finished', null, DEAD)),
    delivery('other', AT, OTHER),
    delivery('postponed', secondsAfter(7200)),
  ]
  const webhook = {
    client_id: null,
    creator_user_id: null,
    url: 'https://dead.example/',
    host: 'dead.example',
    events: ['task.created'],
    sealed_secret: null,
  } as const
  await storage.transact(async (tx) => {
    const { deliveries, snapshots, webhooks } = tx.workspace(WORKSPACE)
    await webhooks.insert({ id: DEAD, ...webhook, ...stamps })
    await snapshots.insertMany(rows.map(({ snapshot_id }) => snapshot(snapshot_id)))
    await snapshots.insertMany(
      Array.from({ length: 100 }, (_, nth) => snapshot(randomUUID(), secondsAfter(-nth))),
    )
    await deliveries.insertMany(rows)
  })
  await storage.close()
  const file = openWriter(path)
  const connectionToFile = createConnection(file)
  const steps: string[] = []
  const explain = (sql: string, values: readonly unknown[]) => {
    const plan = file.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]
    steps.push(
      ...plan
        .map(({ detail }) => detail)
        .filter((detail) => /\b(deliveries|snapshots|webhooks|grants|usage_logs)\b|TEMP B-TREE/.test(detail)),
    )
  }
  const connection: Connection = {
    ...connectionToFile,
    async query(statement, values) {
      explain(statement.sql, values)
      return connectionToFile.query(statement, values)
    },
    async execute(statement, values) {
      explain(statement.sql, values)
      return connectionToFile.execute(statement, values)
    },
    savepoint: (work) => work(),
  }
  const rejectUnused = () => Promise.reject(new Error('Not used here.'))
  const transact = async <T>(work: (connection: Connection) => Promise<T>) => {
    file.exec('begin')
    return work(connection).finally(() => file.exec('rollback'))
  }
  const explainedStorage = sqlStorage(
    {
      transact,
      read: rejectUnused,
      check: rejectUnused,
      close: rejectUnused,
    },
    sqliteDialect,
  )
  return { transact: explainedStorage.transact, steps, close: () => file.close() }
}

test('a claim skips from queue to queue in a covering index and reads only the claimed rows', async () => {
  const { transact, steps, close } = await createExplainingStorage()
  const claimed = await transact((tx) => tx.outbox.claim(CLAIM))
  expect(claimed.map(({ delivery }) => delivery.event)).toEqual(['other', 'postponed'])
  const stepsByKind = Map.groupBy(steps, (step) =>
    / COVERING INDEX deliveries_waiting \(/.test(step) ? 'index only' : 'rows',
  )
  const seek = 'SEARCH deliveries USING COVERING INDEX deliveries_waiting'
  const queue = 'workspace_id=? AND webhook_id=?'
  expect(new Set(stepsByKind.get('index only'))).toEqual(
    new Set([
      `${seek} (workspace_id>?)`,
      `${seek} (workspace_id=? AND webhook_id>?)`,
      `${seek} (${queue} AND due_at>? AND due_at<?)`,
      `${seek} (${queue} AND due_at>?)`,
    ]),
  )
  expect(stepsByKind.get('rows')).toEqual([
    // The first queue is at the start of the index: one step for each of its two ids.
    'SCAN deliveries USING COVERING INDEX deliveries_waiting',
    'SCAN deliveries USING COVERING INDEX deliveries_waiting',
    'SEARCH webhooks USING INDEX sqlite_autoindex_webhooks_1 (workspace_id=? AND id=?)',
    // Sorts the queues, not the deliveries in them.
    'USE TEMP B-TREE FOR ORDER BY',
    // One update for all claimed rows.
    'SEARCH deliveries USING INTEGER PRIMARY KEY (rowid=?)',
  ])
  close()
})

test('marks deliveries as delivered by primary key', async () => {
  const { transact, steps, close } = await createExplainingStorage()
  const claimed = await transact((tx) => tx.outbox.claim({ ...CLAIM, quota: () => 10 }))
  steps.splice(0)
  const attempt = { created_at: AT, duration_ms: 1, status: 200, error: null, response: '' }
  const outcomes = claimed.map(({ workspace_id, delivery: { id } }) => ({
    workspace_id,
    id,
    lease: 0,
    attempt,
    updated_at: AT,
  }))
  expect(await transact((tx) => tx.outbox.markDelivered(outcomes))).toBe(0)
  expect(steps).toEqual(
    Array(outcomes.length).fill(
      'SEARCH deliveries USING INDEX sqlite_autoindex_deliveries_1 (workspace_id=? AND id=?)',
    ),
  )
  close()
})

test('counts the backlog from a covering index', async () => {
  const { transact, steps, close } = await createExplainingStorage()
  expect(await transact((tx) => tx.outbox.backlog())).toEqual({
    pending: 11_002,
    earliestDueAt: secondsAfter(-10_999),
  })
  expect(steps.filter((step) => !/ USING COVERING INDEX deliveries_waiting\b/.test(step))).toEqual([])
  // The first queue is at the start of the index: one step for each of its two ids. Each queue has a count
  // and a lookup of its first delivery.
  expect(steps.filter((step) => step.startsWith('SCAN'))).toHaveLength(2)
  expect(steps.filter((step) => step.includes('(workspace_id=? AND webhook_id=?'))).toHaveLength(2)
  close()
})

test('deletes finished deliveries and unreferenced snapshots by age', async () => {
  const { transact, steps, close } = await createExplainingStorage()
  expect(await transact((tx) => tx.outbox.deleteFinished(AT, 50))).toBe(50)
  expect(steps.splice(0)).toEqual([BY_KEY, 'SEARCH deliveries USING INDEX deliveries_over (updated_at<?)'])
  expect(await transact((tx) => tx.outbox.deleteFinished(AT, 1050))).toBe(1050)
  expect(steps.slice(2)).toEqual([
    'SEARCH snapshots USING COVERING INDEX sqlite_autoindex_snapshots_1 (workspace_id=? AND id=?)',
    'SEARCH snapshots USING INDEX snapshots_by_age (created_at<?)',
    'SEARCH deliveries USING COVERING INDEX deliveries_of_snapshot (workspace_id=? AND snapshot_id=?)',
    // A second time for the foreign key.
    'SEARCH deliveries USING COVERING INDEX deliveries_of_snapshot (workspace_id=? AND snapshot_id=?)',
  ])
  close()
})

test('the delivery log, pending deliveries, live grants and due usage logs use their indexes', async () => {
  const { transact, steps, close } = await createExplainingStorage()
  const planOf = async (work: (tx: Transaction) => Promise<unknown>) => {
    await transact(work)
    return new Set(steps.splice(0).filter((step) => step !== 'USE TEMP B-TREE FOR ORDER BY'))
  }
  const firstPage = { page: 1, per_page: 20, order_by: 'created_at' } as const
  const pending = { field: 'status', is: 'pending' } as const
  const log = 'deliveries USING INDEX deliveries_of_webhook_id (workspace_id=? AND webhook_id=?)'
  const byStatus = 'INDEX deliveries_by_status (workspace_id=? AND webhook_id=?'
  const counted = `SEARCH deliveries USING COVERING ${byStatus}`
  const byRow = 'SEARCH deliveries USING INTEGER PRIMARY KEY (rowid=?)'
  const list = (order: 'asc' | 'desc', ...where: Condition<ClaimedDelivery['delivery']>[]) =>
    planOf((tx) => tx.workspace(WORKSPACE).deliveries.list({ ...firstPage, order, where }))
  for (const order of ['asc', 'desc'] as const) {
    const [dead, other] = [DEAD, OTHER].map((is) => ({ field: 'webhook_id', is }) as const) as [
      WebhookCondition,
      WebhookCondition,
    ]
    expect(await list(order, dead)).toEqual(new Set([`${counted})`, `SEARCH ${log}`]))
    expect(await list(order, other)).toEqual(new Set([`${counted})`, `SEARCH ${log}`]))
    const byStatusPlan = [
      `${counted} AND status=?)`,
      'SEARCH deliveries',
      `SEARCH deliveries USING ${byStatus} AND status=?)`,
    ]
    expect(await list(order, dead, pending)).toEqual(new Set(byStatusPlan))
    // `SEARCH deliveries` reads the greatest rowid.
    expect(await list(order, other, pending)).toEqual(
      new Set([`${counted} AND status=?)`, 'SEARCH deliveries', byRow]),
    )
    expect(await list(order, { field: 'webhook_id', oneOf: [DEAD, OTHER] }, pending)).toEqual(
      new Set(byStatusPlan),
    )
  }
  const live = [
    { field: 'client_id', is: DEAD },
    { field: 'revoked_at', is: null },
  ] as const
  expect(await planOf((tx) => tx.workspace(WORKSPACE).grants.has(live))).toEqual(
    new Set(['SEARCH grants USING INDEX grants_live (workspace_id=? AND client_id=?)']),
  )
  const due = {
    ...firstPage,
    order_by: 'due_at',
    order: 'asc',
    where: [{ field: 'due_at', to: AT }],
  } as const
  expect(await planOf((tx) => tx.usage_logs.list(due))).toEqual(
    new Set([
      'SEARCH usage_logs USING COVERING INDEX usage_logs_by_due_at (due_at<?)',
      'SEARCH usage_logs USING INDEX usage_logs_by_due_at (due_at<?)',
    ]),
  )
  close()
})
