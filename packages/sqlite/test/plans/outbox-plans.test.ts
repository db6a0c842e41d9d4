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

type OfWebhook = { readonly field: 'webhook_id'; readonly is: string }

const stamps = { created_at: AT, updated_at: AT }

function delivery(
  event: string,
  due_at: string | null,
  webhook_id = randomUUID(),
): ClaimedDelivery['delivery'] {
  const tries = { attempts: [], attempts_count: 0, last_attempt: false, sending: false, lease: 0 }
  return {
    id: randomUUID(),
    webhook_id,
    event,
    snapshot_id: randomUUID(),
    status: 'pending',
    reason: null,
    ...tries,
    due_at,
    ...stamps,
  }
}

function snapshot(id: string, created_at = secondsAfter(1)): Records['snapshots'] {
  return { id, entity: '"task":{}}', created_at, updated_at: created_at }
}

/**
 * How each statement is run, as SQLite tells it, in a file where ten thousand deliveries wait for a dead
 * host.
 */
async function createExplainingStorage() {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  const rows = [
    ...Array.from({ length: 10_000 }, (_, nth) => delivery('dead', secondsAfter(-nth - 1000), DEAD)),
    ...Array.from({ length: 1000 }, (_, nth) => delivery('later', secondsAfter(nth + 1))),
    ...Array.from({ length: 1000 }, () => delivery('over', null, DEAD)),
    delivery('other', AT, OTHER),
    delivery('put off', secondsAfter(7200)),
  ]
  const told = {
    client_id: null,
    url: 'https://dead.example/',
    host: 'dead.example',
    events: ['task.created'],
    sealed_secret: null,
  } as const
  await storage.transact(async (tx) => {
    const { deliveries, snapshots, webhooks } = tx.workspace(WORKSPACE)
    await webhooks.insert({ id: DEAD, ...told, ...stamps })
    await snapshots.insertMany(rows.map(({ snapshot_id }) => snapshot(snapshot_id)))
    await snapshots.insertMany(
      Array.from({ length: 100 }, (_, nth) => snapshot(randomUUID(), secondsAfter(-nth))),
    )
    await deliveries.insertMany(rows)
  })
  await storage.close()
  const file = openWriter(path)
  const line = createConnection(file)
  const steps: string[] = []
  const explain = (sql: string, values: readonly unknown[]) => {
    const told = file.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]
    steps.push(
      ...told
        .map(({ detail }) => detail)
        .filter((detail) => /\b(deliveries|snapshots|webhooks|grants|usage_logs)\b|TEMP B-TREE/.test(detail)),
    )
  }
  const connection: Connection = {
    ...line,
    async query(statement, values) {
      explain(statement.sql, values)
      return line.query(statement, values)
    },
    async execute(statement, values) {
      explain(statement.sql, values)
      return line.execute(statement, values)
    },
    savepoint: (part) => part(),
  }
  const never = () => Promise.reject(new Error('Not used here.'))
  const transact = async <T>(work: (connection: Connection) => Promise<T>) => {
    file.exec('begin')
    return work(connection).finally(() => file.exec('rollback'))
  }
  const storing = sqlStorage(
    {
      transact,
      read: never,
      check: never,
      close: never,
    },
    sqliteDialect,
  )
  return { transact: storing.transact, steps, close: () => file.close() }
}

test('a claim leaps from lane to lane in their index, and reads of each what it takes', async () => {
  const { transact, steps, close } = await createExplainingStorage()
  const claimed = await transact((tx) => tx.outbox.claim(CLAIM))
  expect(claimed.map(({ delivery }) => delivery.event)).toEqual(['other', 'put off'])
  const met = Map.groupBy(steps, (step) =>
    / COVERING INDEX deliveries_waiting \(/.test(step) ? 'the index alone' : 'rows',
  )
  const seek = 'SEARCH deliveries USING COVERING INDEX deliveries_waiting'
  const lane = 'workspace_id=? AND webhook_id=?'
  expect(new Set(met.get('the index alone'))).toEqual(
    new Set([
      `${seek} (workspace_id>?)`,
      `${seek} (workspace_id=? AND webhook_id>?)`,
      `${seek} (${lane} AND due_at>? AND due_at<?)`,
      `${seek} (${lane} AND due_at>?)`,
    ]),
  )
  expect(met.get('rows')).toEqual([
    // The first lane is where the index begins: one step for each of its two ids.
    'SCAN deliveries USING COVERING INDEX deliveries_waiting',
    'SCAN deliveries USING COVERING INDEX deliveries_waiting',
    'SEARCH webhooks USING INDEX sqlite_autoindex_webhooks_1 (workspace_id=? AND id=?)',
    // The lanes are put in order, not what waits in them.
    'USE TEMP B-TREE FOR ORDER BY',
    // One change for all of them.
    'SEARCH deliveries USING INTEGER PRIMARY KEY (rowid=?)',
  ])
  close()
})

test('what was delivered is noted by its keys', async () => {
  const { transact, steps, close } = await createExplainingStorage()
  const claimed = await transact((tx) => tx.outbox.claim({ ...CLAIM, quota: () => 10 }))
  steps.splice(0)
  const attempt = { created_at: AT, duration_ms: 1, status: 200, error: null, response: '' }
  const told = claimed.map(({ workspace_id, delivery: { id } }) => ({
    workspace_id,
    id,
    lease: 0,
    attempt,
    updated_at: AT,
  }))
  expect(await transact((tx) => tx.outbox.markDelivered(told))).toBe(0)
  expect(steps).toEqual(
    Array(told.length).fill(
      'SEARCH deliveries USING INDEX sqlite_autoindex_deliveries_1 (workspace_id=? AND id=?)',
    ),
  )
  close()
})

test('what waits is counted from its index alone', async () => {
  const { transact, steps, close } = await createExplainingStorage()
  expect(await transact((tx) => tx.outbox.backlog())).toEqual({
    pending: 11_002,
    earliestDueAt: secondsAfter(-10_999),
  })
  expect(steps.filter((step) => !/ USING COVERING INDEX deliveries_waiting\b/.test(step))).toEqual([])
  // The first lane is where the index begins: one step for each of its two ids. Each lane is counted, and its
  // first looked for.
  expect(steps.filter((step) => step.startsWith('SCAN'))).toHaveLength(2)
  expect(steps.filter((step) => step.includes('(workspace_id=? AND webhook_id=?'))).toHaveLength(2)
  close()
})

test('what is over, and what no delivery tells of, is forgotten by its age', async () => {
  const { transact, steps, close } = await createExplainingStorage()
  expect(await transact((tx) => tx.outbox.deleteFinished(AT, 50))).toBe(50)
  expect(steps.splice(0)).toEqual([BY_KEY, 'SEARCH deliveries USING INDEX deliveries_over (updated_at<?)'])
  expect(await transact((tx) => tx.outbox.deleteFinished(AT, 1050))).toBe(1050)
  expect(steps.slice(2)).toEqual([
    'SEARCH snapshots USING COVERING INDEX sqlite_autoindex_snapshots_1 (workspace_id=? AND id=?)',
    'SEARCH snapshots USING INDEX snapshots_by_age (created_at<?)',
    'SEARCH deliveries USING COVERING INDEX deliveries_of_snapshot (workspace_id=? AND snapshot_id=?)',
    // Once more for the foreign key.
    'SEARCH deliveries USING COVERING INDEX deliveries_of_snapshot (workspace_id=? AND snapshot_id=?)',
  ])
  close()
})

test('the log of a webhook, what is pending, live grants and usage that is to be told are found by their indexes', async () => {
  const { transact, steps, close } = await createExplainingStorage()
  const asked = async (work: (tx: Transaction) => Promise<unknown>) => {
    await transact(work)
    return new Set(steps.splice(0).filter((step) => step !== 'USE TEMP B-TREE FOR ORDER BY'))
  }
  const first = { page: 1, per_page: 20, order_by: 'created_at' } as const
  const pending = { field: 'status', is: 'pending' } as const
  const log = 'deliveries USING INDEX deliveries_of_webhook_id (workspace_id=? AND webhook_id=?)'
  const byStatus = 'INDEX deliveries_by_status (workspace_id=? AND webhook_id=?'
  const counted = `SEARCH deliveries USING COVERING ${byStatus}`
  const byRow = 'SEARCH deliveries USING INTEGER PRIMARY KEY (rowid=?)'
  const list = (order: 'asc' | 'desc', ...where: Condition<ClaimedDelivery['delivery']>[]) =>
    asked((tx) => tx.workspace(WORKSPACE).deliveries.list({ ...first, order, where }))
  for (const order of ['asc', 'desc'] as const) {
    const [dead, other] = [DEAD, OTHER].map((is) => ({ field: 'webhook_id', is }) as const) as [
      OfWebhook,
      OfWebhook,
    ]
    expect(await list(order, dead)).toEqual(new Set([`${counted})`, `SEARCH ${log}`]))
    expect(await list(order, other)).toEqual(new Set([`${counted})`, `SEARCH ${log}`]))
    const most = [
      `${counted} AND status=?)`,
      'SEARCH deliveries',
      `SEARCH deliveries USING ${byStatus} AND status=?)`,
    ]
    expect(await list(order, dead, pending)).toEqual(new Set(most))
    // `SEARCH deliveries` is the look for its greatest rowid.
    expect(await list(order, other, pending)).toEqual(
      new Set([`${counted} AND status=?)`, 'SEARCH deliveries', byRow]),
    )
    expect(await list(order, { field: 'webhook_id', oneOf: [DEAD, OTHER] }, pending)).toEqual(new Set(most))
  }
  const live = [
    { field: 'client_id', is: DEAD },
    { field: 'revoked_at', is: null },
  ] as const
  expect(await asked((tx) => tx.workspace(WORKSPACE).grants.has(live))).toEqual(
    new Set(['SEARCH grants USING INDEX grants_live (workspace_id=? AND client_id=?)']),
  )
  const due = { ...first, order_by: 'due_at', order: 'asc', where: [{ field: 'due_at', to: AT }] } as const
  expect(await asked((tx) => tx.usage_logs.list(due))).toEqual(
    new Set([
      'SEARCH usage_logs USING COVERING INDEX usage_logs_by_due_at (due_at<?)',
      'SEARCH usage_logs USING INDEX usage_logs_by_due_at (due_at<?)',
    ]),
  )
  close()
})
