import { randomUUID } from 'node:crypto'
import type { Condition, Records, SharedRecords, Transaction } from '@sales-crm/core/ports'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { postgresStorage } from '../../src/index.ts'
import { clientConfig } from '../../src/wire/pool.ts'
import { AT, delivery, insertDeliveries, secondsAfter } from '../deliveries.ts'
import { freshDatabase } from '../fresh-database.ts'
import { createExplainingStorage, touchedIndexes } from './explain.ts'

const server = inject('postgresUrl')
const ROWS = 4000
const [WORKSPACE, BUSY, SMALL, CLIENT] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
const FIRST = { page: 1, per_page: 20 } as const
const PENDING = { field: 'status', is: 'pending' } as const

const stamps = { created_at: AT, updated_at: AT }
const member = { id: randomUUID(), role: 'owner', removed_at: null, has_joined: true, notices: {}, ...stamps }

function grant(nth: number): Records['grants'] {
  const tokenFields = {
    scopes: [],
    audience: 'interface' as const,
    refresh_hash: null,
    family_hash: null,
    refresh_expires_at: AT,
    revoked_at: nth % 100 === 0 ? null : AT,
  }
  return {
    id: randomUUID(),
    user_id: member.id,
    client_id: nth < ROWS / 2 ? CLIENT : randomUUID(),
    ...tokenFields,
    ...stamps,
  }
}

function usage(nth: number): SharedRecords['usage_logs'] {
  const period = {
    period: randomUUID(),
    period_start: AT,
    period_end: secondsAfter(nth),
    requests: { GET: 1, POST: 0, PATCH: 0, DELETE: 0 },
  }
  const due_at = nth % 400 === 0 ? secondsAfter(nth - ROWS / 2) : null
  return { id: randomUUID(), ...period, workspace_id: WORKSPACE, client_id: CLIENT, due_at, ...stamps }
}

/**
 * Creates a webhook with many deliveries, few of them pending, and one with a few deliveries, and more in
 * another workspace; also grants and usage logs, most of them past.
 */
async function fillDatabase(): Promise<string> {
  const url = await freshDatabase(server!)
  const storage = await postgresStorage({ url })
  const outcomeFields = (nth: number) =>
    nth % 400 === 0 ? {} : ({ due_at: null, status: 'delivered' } as const)
  const log = (webhook_id: string, length: number) =>
    Array.from({ length }, (_, nth) =>
      delivery({
        webhook_id,
        ...outcomeFields(nth),
        created_at: secondsAfter(nth),
        updated_at: secondsAfter(nth),
      }),
    )
  await storage.transact(async (tx) => {
    await insertDeliveries(tx, WORKSPACE, [...log(BUSY, ROWS), ...log(SMALL, 30)])
    await insertDeliveries(tx, randomUUID(), log(BUSY, 4 * ROWS))
    await tx.workspace(WORKSPACE).members.insert(member as never)
    await tx.workspace(WORKSPACE).grants.insertMany(Array.from({ length: ROWS }, (_, nth) => grant(nth)))
    await tx.usage_logs.insertMany(Array.from({ length: ROWS }, (_, nth) => usage(nth)))
  })
  await storage.close()
  return url
}

describe.runIf(server !== null)('with four thousand deliveries in the log of a webhook', () => {
  test('log pages, pending deliveries, live grants and due usage logs use their indexes', async () => {
    const client = new pg.Client(clientConfig({ url: await fillDatabase() }))
    await client.connect()
    await client.query('vacuum analyze')
    const { transact, rowsRead } = createExplainingStorage(client)
    const explainIndexes = async (work: (tx: Transaction) => Promise<unknown>) => {
      rowsRead.splice(0)
      await transact(work)
      return touchedIndexes(rowsRead)
    }
    const list = (order: 'asc' | 'desc', ...where: Condition<Records['deliveries']>[]) =>
      explainIndexes((tx) =>
        tx.workspace(WORKSPACE).deliveries.list({ ...FIRST, order_by: 'created_at', order, where }),
      )
    for (const order of ['asc', 'desc'] as const) {
      for (const is of [BUSY, SMALL]) {
        const log = await list(order, { field: 'webhook_id', is })
        expect(log, JSON.stringify(rowsRead)).not.toContain('deliveries')
        // The page, and the count: all deliveries of the webhook, or of its workspace if that is hardly more.
        expect(Math.min(...rowsRead.map(({ rows }) => rows)), JSON.stringify(rowsRead)).toBeLessThanOrEqual(
          30,
        )
        expect(Math.max(...rowsRead.map(({ rows }) => rows)), JSON.stringify(rowsRead)).toBeLessThanOrEqual(
          is === BUSY ? ROWS + 30 : 30,
        )
        const pending = await list(order, { field: 'webhook_id', is }, PENDING)
        expect(pending, JSON.stringify(rowsRead)).toEqual(new Set(['deliveries_by_status']))
        expect(Math.max(...rowsRead.map(({ rows }) => rows)), JSON.stringify(rowsRead)).toBeLessThanOrEqual(
          10,
        )
      }
      const all = await list(order, { field: 'webhook_id', oneOf: [BUSY, SMALL] }, PENDING)
      expect(all, JSON.stringify(rowsRead)).toEqual(new Set(['deliveries_by_status']))
    }
    const live = [
      { field: 'client_id', is: CLIENT },
      { field: 'revoked_at', is: null },
    ] as const
    expect(await explainIndexes((tx) => tx.workspace(WORKSPACE).grants.has(live))).toEqual(
      new Set(['grants_live']),
    )
    const due = { ...FIRST, order_by: 'due_at', order: 'asc', where: [{ field: 'due_at', to: AT }] } as const
    expect(await explainIndexes((tx) => tx.usage_logs.list(due))).toEqual(new Set(['usage_logs_by_due_at']))
    expect(Math.max(...rowsRead.map(({ rows }) => rows))).toBeLessThanOrEqual(10)
    await client.end()
  })
})
