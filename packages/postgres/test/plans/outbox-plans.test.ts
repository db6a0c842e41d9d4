import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { postgresStorage } from '../../src/index.ts'
import { clientConfig } from '../../src/wire/pool.ts'
import { AT, CLAIM, delivery, insertDeliveries, secondsAfter, snapshot, webhook } from '../deliveries.ts'
import { freshDatabase } from '../fresh-database.ts'
import { createExplainingStorage, touchedIndexes } from './explain.ts'

const server = inject('postgresUrl')
const ROWS = 10_000
/** The statistics that the planner has of the table. */
const STATISTICS = ['empty', 'current']

const [WORKSPACE, DEAD, OTHER] = [randomUUID(), randomUUID(), randomUUID()]

/**
 * Creates a database with 10,000 due, 10,000 postponed and 10,000 finished deliveries of one webhook, each
 * with a snapshot, and one due delivery of another webhook. Another workspace has 300 webhooks with postponed
 * deliveries and 1000 without deliveries.
 */
async function fillDatabase(): Promise<string> {
  const url = await freshDatabase(server!)
  const storage = await postgresStorage({ url })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('analyze')
  const makeDeliveries = (event: string, due: (nth: number) => string | null) =>
    Array.from({ length: ROWS }, (_, nth) =>
      delivery({
        webhook_id: DEAD,
        event,
        due_at: due(nth),
        created_at: secondsAfter(-nth),
        updated_at: secondsAfter(-nth),
      }),
    )
  const rows = [
    ...makeDeliveries('due', (nth) => secondsAfter(-nth - 1000)),
    ...makeDeliveries('later', (nth) => secondsAfter((nth % 900) + 1)),
    ...makeDeliveries('finished', () => null),
    delivery({ webhook_id: OTHER, event: 'other' }),
  ]
  const otherWorkspace = randomUUID()
  const otherDeliveries = Array.from({ length: 300 }, () =>
    delivery({ event: 'later', due_at: secondsAfter(100) }),
  )
  await storage.transact(async (tx) => {
    await insertDeliveries(tx, WORKSPACE, rows)
    await insertDeliveries(tx, otherWorkspace, [...otherDeliveries, delivery({ event: 'other workspace' })])
    const oldSnapshots = Array.from({ length: ROWS }, (_, nth) =>
      snapshot(randomUUID(), secondsAfter(-ROWS - nth - 10)),
    )
    await tx.workspace(WORKSPACE).snapshots.insertMany(oldSnapshots)
    const postponed = oldSnapshots
      .slice(-5)
      .map(({ id }) =>
        delivery({ webhook_id: DEAD, event: 'later', snapshot_id: id, due_at: secondsAfter(9) }),
      )
    await tx.workspace(WORKSPACE).deliveries.insertMany(postponed)
    await tx
      .workspace(WORKSPACE)
      .webhooks.insertMany([webhook(DEAD, 'dead.example'), webhook(OTHER, 'other.example')])
    await tx
      .workspace(otherWorkspace)
      .webhooks.insertMany(Array.from({ length: 1000 }, () => webhook(randomUUID(), 'idle.example')))
  })
  await storage.close()
  await client.end()
  return url
}

describe.runIf(server !== null)(
  'with ten thousand due and as many postponed deliveries of one webhook',
  () => {
    test.each(STATISTICS)(
      'a claim reads few more rows than there are queues (statistics: %s)',
      async (statistics) => {
        const client = new pg.Client(clientConfig({ url: await fillDatabase() }))
        await client.connect()
        if (statistics === 'current') await client.query('analyze')
        const { transact, rowsRead, costs } = createExplainingStorage(client)
        const claim = (deadQuota: number) =>
          transact((tx) =>
            tx.outbox.claim({
              ...CLAIM,
              maxPerQueue: 20,
              quota: ({ host, dueCount }) => (host === 'dead.example' ? deadQuota : dueCount),
            }),
          )
        const eventsOf = async (deadQuota: number) =>
          (await claim(deadQuota)).map(({ delivery }) => delivery.event).sort()
        expect(await eventsOf(0)).toEqual(['other', 'other workspace'])
        expect(await eventsOf(3)).toEqual(['due', 'due', 'due', 'other', 'other workspace'])
        const label = JSON.stringify(rowsRead)
        expect(touchedIndexes(rowsRead), label).toEqual(
          new Set(['deliveries_waiting', 'deliveries_pkey', 'webhooks_pkey']),
        )
        expect(Math.max(...rowsRead.map(({ rows }) => rows)), label).toBeLessThanOrEqual(303)
        // A plan above a cost of 100,000 would be JIT-compiled, which takes longer than its execution.
        expect(Math.max(...costs), costs.join()).toBeLessThan(50_000)
        await client.end()
      },
    )

    test.each(STATISTICS)(
      'deliveries are marked as delivered by primary key (statistics: %s)',
      async (statistics) => {
        const client = new pg.Client(clientConfig({ url: await fillDatabase() }))
        await client.connect()
        if (statistics === 'current') await client.query('analyze')
        const { transact, rowsRead } = createExplainingStorage(client)
        const attempt = { created_at: AT, duration_ms: 1, status: 200, error: null, response: '' }
        const counts = await transact(async (tx) => {
          const claimed = await tx.outbox.claim({
            ...CLAIM,
            maxPerQueue: 300,
            quota: ({ dueCount }) => dueCount,
          })
          rowsRead.splice(0)
          const outcomes = claimed.map(({ workspace_id, delivery: { id, lease } }) => ({
            workspace_id,
            id,
            lease,
            attempt,
            updated_at: AT,
          }))
          return [claimed.length, await tx.outbox.markDelivered(outcomes)]
        })
        expect(counts).toEqual([302, 302])
        const label = JSON.stringify(rowsRead)
        expect(touchedIndexes(rowsRead), label).toEqual(new Set(['deliveries_pkey']))
        expect(Math.max(...rowsRead.map(({ rows }) => rows)), label).toBeLessThanOrEqual(1)
        await client.end()
      },
    )

    test.each(STATISTICS)(
      'the backlog is counted from a covering index (statistics: %s)',
      async (statistics) => {
        const client = new pg.Client(clientConfig({ url: await fillDatabase() }))
        await client.connect()
        if (statistics === 'current') await client.query('analyze')
        const { transact, rowsRead, costs } = createExplainingStorage(client)
        const pending = 2 * ROWS + 307
        expect(await transact((tx) => tx.outbox.backlog())).toEqual({
          pending,
          earliestDueAt: secondsAfter(-ROWS - 999),
        })
        expect(new Set(rowsRead.map(({ index }) => index))).toEqual(new Set(['deliveries_waiting']))
        expect(Math.max(...rowsRead.map(({ rows }) => rows)), JSON.stringify(rowsRead)).toBeLessThanOrEqual(
          pending + 10,
        )
        // The bound of a claim.
        expect(Math.max(...costs), costs.join()).toBeLessThan(50_000)
        await client.end()
      },
    )

    test.each(STATISTICS)(
      'finished deliveries and unreferenced snapshots are deleted by age (statistics: %s)',
      async (statistics) => {
        const client = new pg.Client(clientConfig({ url: await fillDatabase() }))
        await client.connect()
        if (statistics === 'current') await client.query('analyze')
        const { transact, rowsRead } = createExplainingStorage(client)
        expect(await transact((tx) => tx.outbox.deleteFinished(AT, 50))).toBe(50)
        expect(touchedIndexes(rowsRead)).toEqual(new Set(['deliveries_over', 'deliveries_pkey']))
        expect(Math.max(...rowsRead.map(({ rows }) => rows))).toBeLessThanOrEqual(50)
        rowsRead.splice(0)
        expect(await transact((tx) => tx.outbox.deleteFinished(secondsAfter(-ROWS), 50))).toBe(50)
        expect(touchedIndexes(rowsRead)).toEqual(
          new Set(['snapshots_by_age', 'deliveries_of_snapshot', 'snapshots_pkey']),
        )
        expect(Math.max(...rowsRead.map(({ rows }) => rows))).toBeLessThanOrEqual(55)
        await client.end()
      },
    )
  },
)
