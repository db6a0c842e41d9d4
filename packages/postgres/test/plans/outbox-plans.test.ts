import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { postgresStorage } from '../../src/index.ts'
import { clientConfig } from '../../src/wire/pool.ts'
import { AT, CLAIM, delivery, insertDeliveries, secondsAfter, snapshot, webhook } from '../deliveries.ts'
import { freshDatabase } from '../fresh-database.ts'
import { createExplainingStorage, touchedIndexes } from './explain.ts'

const server = inject('postgresUrl')
const MANY = 10_000
/** What the planner was last told of the table. */
const STATISTICS = ['when it was empty', 'as it is']

const [WORKSPACE, DEAD, OTHER] = [randomUUID(), randomUUID(), randomUUID()]

/**
 * Of one webhook ten thousand that are due, as many to be tried later and as many over, each with a snapshot,
 * and one that is due for another; another workspace has three hundred webhooks with something to be tried
 * later, and a thousand with nothing.
 */
async function fillDatabase(): Promise<string> {
  const url = await freshDatabase(server!)
  const storage = await postgresStorage({ url })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('analyze')
  const many = (event: string, due: (nth: number) => string | null) =>
    Array.from({ length: MANY }, (_, nth) =>
      delivery({
        webhook_id: DEAD,
        event,
        due_at: due(nth),
        created_at: secondsAfter(-nth),
        updated_at: secondsAfter(-nth),
      }),
    )
  const rows = [
    ...many('due', (nth) => secondsAfter(-nth - 1000)),
    ...many('later', (nth) => secondsAfter((nth % 900) + 1)),
    ...many('over', () => null),
    delivery({ webhook_id: OTHER, event: 'other' }),
  ]
  const elsewhereId = randomUUID()
  const elsewhere = Array.from({ length: 300 }, () => delivery({ event: 'later', due_at: secondsAfter(100) }))
  await storage.transact(async (tx) => {
    await insertDeliveries(tx, WORKSPACE, rows)
    await insertDeliveries(tx, elsewhereId, [...elsewhere, delivery({ event: 'elsewhere' })])
    const old = Array.from({ length: MANY }, (_, nth) =>
      snapshot(randomUUID(), secondsAfter(-MANY - nth - 10)),
    )
    await tx.workspace(WORKSPACE).snapshots.insertMany(old)
    const late = old
      .slice(-5)
      .map(({ id }) =>
        delivery({ webhook_id: DEAD, event: 'later', snapshot_id: id, due_at: secondsAfter(9) }),
      )
    await tx.workspace(WORKSPACE).deliveries.insertMany(late)
    await tx
      .workspace(WORKSPACE)
      .webhooks.insertMany([webhook(DEAD, 'dead.example'), webhook(OTHER, 'other.example')])
    await tx
      .workspace(elsewhereId)
      .webhooks.insertMany(Array.from({ length: 1000 }, () => webhook(randomUUID(), 'idle.example')))
  })
  await storage.close()
  await client.end()
  return url
}

describe.runIf(server !== null)('with ten thousand deliveries in one lane, and as many for later', () => {
  test.each(STATISTICS)(
    'a claim reads hardly more rows than there are lanes, where the planner knows the table %s',
    async (told) => {
      const client = new pg.Client(clientConfig({ url: await fillDatabase() }))
      await client.connect()
      if (told === 'as it is') await client.query('analyze')
      const { transact, met, costs } = createExplainingStorage(client)
      const claim = (most: number) =>
        transact((tx) =>
          tx.outbox.claim({
            ...CLAIM,
            maxPerQueue: 20,
            quota: ({ host, dueCount: waiting }) => (host === 'dead.example' ? most : waiting),
          }),
        )
      const eventsOf = async (most: number) =>
        (await claim(most)).map(({ delivery }) => delivery.event).sort()
      expect(await eventsOf(0)).toEqual(['elsewhere', 'other'])
      expect(await eventsOf(3)).toEqual(['due', 'due', 'due', 'elsewhere', 'other'])
      const says = JSON.stringify(met)
      expect(touchedIndexes(met), says).toEqual(
        new Set(['deliveries_waiting', 'deliveries_pkey', 'webhooks_pkey']),
      )
      expect(Math.max(...met.map(({ rows }) => rows)), says).toBeLessThanOrEqual(303)
      // What costs a hundred thousand is compiled first, which takes longer than to run it.
      expect(Math.max(...costs), costs.join()).toBeLessThan(50_000)
      await client.end()
    },
  )

  test.each(STATISTICS)(
    'what was delivered is noted by its keys, where the planner knows the table %s',
    async (told) => {
      const client = new pg.Client(clientConfig({ url: await fillDatabase() }))
      await client.connect()
      if (told === 'as it is') await client.query('analyze')
      const { transact, met } = createExplainingStorage(client)
      const attempt = { created_at: AT, duration_ms: 1, status: 200, error: null, response: '' }
      const noted = await transact(async (tx) => {
        const claimed = await tx.outbox.claim({
          ...CLAIM,
          maxPerQueue: 300,
          quota: ({ dueCount: waiting }) => waiting,
        })
        met.splice(0)
        const of = claimed.map(({ workspace_id, delivery: { id, lease } }) => ({
          workspace_id,
          id,
          lease,
          attempt,
          updated_at: AT,
        }))
        return [claimed.length, await tx.outbox.markDelivered(of)]
      })
      expect(noted).toEqual([302, 302])
      const says = JSON.stringify(met)
      expect(touchedIndexes(met), says).toEqual(new Set(['deliveries_pkey']))
      expect(Math.max(...met.map(({ rows }) => rows)), says).toBeLessThanOrEqual(1)
      await client.end()
    },
  )

  test.each(STATISTICS)(
    'what waits is counted from its index alone, where the planner knows the table %s',
    async (told) => {
      const client = new pg.Client(clientConfig({ url: await fillDatabase() }))
      await client.connect()
      if (told === 'as it is') await client.query('analyze')
      const { transact, met, costs } = createExplainingStorage(client)
      const waiting = 2 * MANY + 307
      expect(await transact((tx) => tx.outbox.backlog())).toEqual({
        pending: waiting,
        earliestDueAt: secondsAfter(-MANY - 999),
      })
      expect(new Set(met.map(({ index }) => index))).toEqual(new Set(['deliveries_waiting']))
      expect(Math.max(...met.map(({ rows }) => rows)), JSON.stringify(met)).toBeLessThanOrEqual(waiting + 10)
      // As of a claim.
      expect(Math.max(...costs), costs.join()).toBeLessThan(50_000)
      await client.end()
    },
  )

  test.each(STATISTICS)(
    'what is over, and what no delivery tells of, is forgotten by its age, where the planner knows the tables %s',
    async (told) => {
      const client = new pg.Client(clientConfig({ url: await fillDatabase() }))
      await client.connect()
      if (told === 'as it is') await client.query('analyze')
      const { transact, met } = createExplainingStorage(client)
      expect(await transact((tx) => tx.outbox.deleteFinished(AT, 50))).toBe(50)
      expect(touchedIndexes(met)).toEqual(new Set(['deliveries_over', 'deliveries_pkey']))
      expect(Math.max(...met.map(({ rows }) => rows))).toBeLessThanOrEqual(50)
      met.splice(0)
      expect(await transact((tx) => tx.outbox.deleteFinished(secondsAfter(-MANY), 50))).toBe(50)
      expect(touchedIndexes(met)).toEqual(
        new Set(['snapshots_by_age', 'deliveries_of_snapshot', 'snapshots_pkey']),
      )
      expect(Math.max(...met.map(({ rows }) => rows))).toBeLessThanOrEqual(55)
      await client.end()
    },
  )
})
