import { randomUUID } from 'node:crypto'
import type { Claim, Claimed } from '@sales-crm/core/ports'
import { type Connection, sqlStorage } from '@sales-crm/sql'
import { expect, test } from 'vitest'
import { connectionTo } from '../src/connection.ts'
import { sqliteDialect } from '../src/dialect.ts'
import { sqliteStorage } from '../src/index.ts'
import { openWriter } from '../src/open-file.ts'
import { freshPath, WORKSPACE } from './harness.ts'

const AT = '2026-03-01T12:00:00.000Z'
const after = (seconds: number) => new Date(Date.parse(AT) + seconds * 1000).toISOString()
const BY_KEY = 'SEARCH deliveries USING COVERING INDEX sqlite_autoindex_deliveries_1 (workspace_id=? AND id=?)'
const CLAIM: Claim = { now: AT, until: after(60), horizon: after(3600), most: 50, mostPerHost: 20, room: new Map([['dead.example', 0]]) }

function delivery(host: string, due_at: string | null): Claimed['delivery'] {
  const tries = { attempts: [], attempts_count: 0, last_attempt: false, sending: false, lease: 0 }
  const event = { webhook_id: randomUUID(), event: 'task.created', body: '{"id":"1"}', status: 'pending', reason: null } as const
  return { id: randomUUID(), ...event, ...tries, host, due_at, created_at: AT, updated_at: AT }
}

/** How each statement is run, as SQLite tells it, in a file where ten thousand deliveries wait for a dead host. */
async function explaining() {
  const path = freshPath()
  const storage = await sqliteStorage({ file: path })
  const rows = [
    ...Array.from({ length: 10_000 }, (_, nth) => delivery('dead.example', after(-nth - 1000))),
    ...Array.from({ length: 1000 }, (_, nth) => delivery('later.example', after(nth + 1))),
    ...Array.from({ length: 1000 }, () => delivery('over.example', null)),
    delivery('other.example', AT),
    delivery('put-off.example', after(7200)),
  ]
  await storage.transact((tx) => tx.workspace(WORKSPACE).deliveries.insertMany(rows))
  await storage.close()
  const file = openWriter(path)
  const line = connectionTo(file)
  const steps: string[] = []
  const explain = (sql: string, values: readonly unknown[]) => {
    const told = file.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]
    steps.push(...told.map(({ detail }) => detail).filter((detail) => /\bdeliveries\b|TEMP B-TREE/.test(detail)))
  }
  const connection: Connection = {
    ...line,
    async rows(statement, values) {
      explain(statement.sql, values)
      return line.rows(statement, values)
    },
    async run(statement, values) {
      explain(statement.sql, values)
      return line.run(statement, values)
    },
    attempt: (part) => part(),
  }
  const never = () => Promise.reject(new Error('Not used here.'))
  const transact = async <T>(work: (connection: Connection) => Promise<T>) => {
    file.exec('begin')
    return work(connection).finally(() => file.exec('rollback'))
  }
  const storing = sqlStorage({ transact, transactUnsynced: never, read: never, check: never, close: never }, sqliteDialect)
  return { transact: storing.transact, steps, close: () => file.close() }
}

test('a claim leaps from host to host in their index, and reads of each what it takes', async () => {
  const { transact, steps, close } = await explaining()
  const claimed = await transact((tx) => tx.outbox.claim(CLAIM))
  expect(claimed.map(({ delivery }) => delivery.host)).toEqual(['other.example', 'put-off.example'])
  const met = Map.groupBy(steps, (step) => (/ COVERING INDEX deliveries_waiting \(/.test(step) ? 'the index alone' : 'rows'))
  const leap = 'SEARCH deliveries USING COVERING INDEX deliveries_waiting (host>?)'
  const look = /^SEARCH deliveries USING COVERING INDEX deliveries_waiting \(host=\? AND due_at>\?( AND due_at<\?)?\)$/
  expect(met.get('the index alone')!.filter((step) => step !== leap && !look.test(step))).toEqual([])
  expect(met.get('the index alone')).toContain(leap)
  expect(met.get('rows')).toEqual([
    // The first host is where the index begins: one step.
    'SCAN deliveries USING COVERING INDEX deliveries_waiting',
    // The hosts are put in order, not what waits for them.
    'USE TEMP B-TREE FOR ORDER BY',
    BY_KEY,
    'SEARCH deliveries USING INDEX deliveries_waiting (host=? AND due_at>? AND due_at<?)',
    BY_KEY,
    'SEARCH deliveries USING INDEX deliveries_waiting (host=? AND due_at>?)',
  ])
  close()
})

test('what is over is forgotten by its age', async () => {
  const { transact, steps, close } = await explaining()
  expect(await transact((tx) => tx.outbox.forget(AT, 50))).toBe(50)
  expect(steps).toEqual([BY_KEY, 'SEARCH deliveries USING INDEX deliveries_over (created_at<?)'])
  close()
})
