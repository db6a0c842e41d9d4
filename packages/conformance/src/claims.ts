import type { Claim, ClaimedDelivery } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Case, type Context, type Group, leaveTransactions, newId } from './case.ts'
import { limitCases } from './claim-limits.ts'
import {
  buildClaim,
  buildDelivery,
  claim,
  eventsOf,
  insertDeliveries,
  loadDeliveries,
  pastInstant,
  seedOutbox,
} from './sample-deliveries.ts'

const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)

const dueCases: readonly Case[] = [
  {
    name: 'stores and returns due deliveries as sending, due at `leaseUntil`, with the lease incremented',
    async run(context) {
      const failedAttempt = {
        created_at: pastInstant(-900),
        duration_ms: 7,
        status: 500,
        error: null,
        response: 'é "\\',
      }
      const own = buildDelivery('mine', {
        lease: 3,
        attempts: [failedAttempt],
        attempts_count: 1,
        last_attempt: true,
        due_at: pastInstant(-1),
      })
      const foreign = buildDelivery('theirs')
      const other = { ...context, workspace: context.otherWorkspace }
      await seedOutbox(other, [foreign])
      await context.storage.transact((tx) => insertDeliveries(tx, context.workspace, [own]))
      const claimed = await claim(context)
      const claimedFields = { sending: true, due_at: pastInstant(60) }
      const byEvent = [...claimed].sort((a, b) => (a.delivery.event < b.delivery.event ? -1 : 1))
      expect(byEvent).toEqual([
        { workspace_id: context.workspace, delivery: { ...own, ...claimedFields, lease: 4 } },
        { workspace_id: context.otherWorkspace, delivery: { ...foreign, ...claimedFields, lease: 1 } },
      ])
      expect(await loadDeliveries(context, [own.id])).toEqual([{ ...own, ...claimedFields, lease: 4 }])
      expect(await loadDeliveries(other, [foreign.id])).toEqual([{ ...foreign, ...claimedFields, lease: 1 }])
    },
  },
  {
    name: 'takes deliveries due now and leaves later, finished and deleted ones unchanged',
    async run(context) {
      const now = buildDelivery('now')
      const later = buildDelivery('later', { due_at: pastInstant(0.001) })
      const finished = buildDelivery('finished', { due_at: null, status: 'delivered' })
      const deleted = buildDelivery('deleted')
      await seedOutbox(context, [now, later, finished, deleted])
      await context.storage.transact((tx) =>
        tx.workspace(context.workspace).deliveries.softDelete(deleted.id, pastInstant(0)),
      )
      expect(eventsOf(await claim(context))).toEqual(['now'])
      expect(await loadDeliveries(context, [later.id])).toEqual([later])
      expect(await loadDeliveries(context, [finished.id])).toEqual([finished])
    },
  },
  {
    name: 'takes a claimed delivery again only after its lease has ended',
    async run(context) {
      await seedOutbox(context, [buildDelivery('one')])
      expect(eventsOf(await claim(context))).toEqual(['one'])
      expect(await claim(context)).toEqual([])
      expect(await claim(context, { now: pastInstant(59.999) })).toEqual([])
      const reclaimed = await claim(context, { now: pastInstant(60), leaseUntil: pastInstant(120) })
      expect(reclaimed).toMatchObject([{ delivery: { event: 'one', lease: 2, due_at: pastInstant(120) } }])
    },
  },
  {
    name: 'takes deliveries beyond the horizon, left by a clock set back, after those that are due',
    async run(context) {
      const webhook_id = newId()
      const dueAt = (seconds: number) => ({ webhook_id, due_at: pastInstant(seconds) })
      const rows = [
        buildDelivery('off', dueAt(9001)),
        buildDelivery('next', dueAt(9000)),
        buildDelivery('farther', dueAt(9999)),
        buildDelivery('due', dueAt(-1)),
      ]
      await seedOutbox(context, rows)
      const quota: Claim['quota'] = (queue) => (queue.webhook_id === webhook_id ? queue.dueCount : 0)
      const options = { horizon: pastInstant(9000), maxPerQueue: 2, quota }
      expect(eventsOf(await claim(context, options))).toEqual(['due', 'off'])
      expect(eventsOf(await claim(context, options))).toEqual(['farther'])
      expect(await claim(context, options)).toEqual([])
    },
  },
]

const concurrencyCases: readonly Case[] = [
  {
    name: 'sees earlier writes of its transaction, awaited or not, and later reads see its claims',
    async run(context) {
      const { storage, workspace } = context
      const [deleted, inserted] = [buildDelivery('deleted'), buildDelivery('new')]
      await seedOutbox(context, [deleted])
      await storage.transact(async (tx) => {
        const { deliveries } = tx.workspace(workspace)
        const pendingWrites = [deliveries.hardDelete(deleted.id), insertDeliveries(tx, workspace, [inserted])]
        expect(eventsOf(await tx.outbox.claim(buildClaim()))).toEqual(['new'])
        expect(await deliveries.get(inserted.id)).toMatchObject({ sending: true, lease: 1 })
        expect(await tx.outbox.claim(buildClaim())).toEqual([])
        await Promise.all(pendingWrites)
      })
      expect(await claim(context)).toEqual([])
    },
  },
  {
    name: 'is rolled back with its transaction or its savepoint',
    async run(context) {
      const row = buildDelivery('one')
      await seedOutbox(context, [row])
      const failing = context.storage.transact(async (tx) => {
        await tx.outbox.claim(buildClaim())
        throw new Error('rolled back')
      })
      await expect(failing).rejects.toThrow('rolled back')
      expect(await loadDeliveries(context, [row.id])).toEqual([row])
      const reclaimed = await context.storage.transact(async (tx) => {
        const savepoint = tx.savepoint(async () => {
          await tx.outbox.claim(buildClaim())
          throw new Error('rolled back')
        })
        await expect(savepoint).rejects.toThrow('rolled back')
        return tx.outbox.claim(buildClaim())
      })
      expect(reclaimed).toMatchObject([{ delivery: { event: 'one', lease: 1 } }])
    },
  },
  {
    name: 'gives each delivery to only one of twenty concurrent claims, and all are taken',
    async run(context) {
      const webhookIds = [newId(), newId(), newId()]
      const rows = Array.from({ length: 90 }, (_, nth) =>
        buildDelivery(`${nth}`, { webhook_id: webhookIds[nth % 3]!, due_at: pastInstant(nth - 100) }),
      )
      await seedOutbox(context, rows)
      const claimed: ClaimedDelivery[] = []
      for (let round = 0; round < rows.length && claimed.length < rows.length; round += 1) {
        const results = await Promise.all(TWENTY.map(() => claim(context, { maxPerQueue: 2 })))
        claimed.push(...results.flat())
      }
      expect(claimed.map(({ delivery }) => delivery.id).sort()).toEqual(rows.map(({ id }) => id).sort())
      expect(claimed.filter(({ delivery }) => delivery.lease !== 1)).toEqual([])
    },
  },
  {
    name: 'does not wait for a concurrent claim',
    run: claimsConcurrently,
  },
  {
    name: 'rejects, like deleteFinished, within a read and after the work has ended',
    async run(context) {
      const finished = buildDelivery('finished', { due_at: null })
      const rows = [buildDelivery('one'), finished]
      await seedOutbox(context, rows)
      await expect(context.storage.read(({ outbox }) => outbox.claim(buildClaim()))).rejects.toThrow()
      await expect(
        context.storage.read(({ outbox }) => outbox.deleteFinished(pastInstant(0), 1)),
      ).rejects.toThrow()
      const { outbox } = await context.storage.transact(async (tx) => tx)
      await expect(outbox.claim(buildClaim())).rejects.toThrow()
      await expect(outbox.deleteFinished(pastInstant(0), 1)).rejects.toThrow()
      expect(await loadDeliveries(context, [finished.id])).toEqual([finished])
      expect(eventsOf(await claim(context))).toEqual(['one'])
    },
  },
]

export const claims: Group = { name: 'claim', cases: [...dueCases, ...limitCases, ...concurrencyCases] }

/**
 * The first transaction reads repeatedly until the second has claimed too. In a store that runs transactions
 * serially the second has not begun, and the case passes.
 */
async function claimsConcurrently(context: Context): Promise<void> {
  const { storage, workspace } = context
  const webhook_id = newId()
  await seedOutbox(context, [buildDelivery('one', { webhook_id }), buildDelivery('two', { webhook_id })])
  const second: { hasBegun: boolean; claimed: readonly ClaimedDelivery[] | undefined } = {
    hasBegun: false,
    claimed: undefined,
  }
  let running: Promise<void> | undefined
  const outside = leaveTransactions()
  const claimToo = () =>
    storage.transact(async (tx) => {
      second.hasBegun = true
      second.claimed = await tx.outbox.claim(buildClaim())
    })
  const first = await storage.transact(async (tx) => {
    const claimed = await tx.outbox.claim(buildClaim({ maxPerQueue: 1 }))
    running ??= outside(claimToo)
    for (let round = 0; round < 5000 && !second.claimed; round += 1) {
      if (round === 500 && !second.hasBegun) break
      await tx.workspace(workspace).deliveries.has([{ field: 'id', is: claimed[0]!.delivery.id }])
    }
    return { claimed, secondClaimed: second.claimed !== undefined, secondBegan: second.hasBegun }
  })
  await running
  expect(first.secondClaimed, 'the second claim').toBe(first.secondBegan)
  const all = [...first.claimed, ...second.claimed!, ...(await claim(context))]
  expect(eventsOf(all)).toEqual(['one', 'two'])
}
