import type { Claim, ClaimedDelivery } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Case, type Context, type Group, newId } from './case.ts'
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
    name: 'what is due is given and stored as it was, but sending, due again at `until`, its lease one higher',
    async run(context) {
      const tried = {
        created_at: pastInstant(-900),
        duration_ms: 7,
        status: 500,
        error: null,
        response: 'é "\\',
      }
      const mine = buildDelivery('mine', {
        lease: 3,
        attempts: [tried],
        attempts_count: 1,
        last_attempt: true,
        due_at: pastInstant(-1),
      })
      const theirs = buildDelivery('theirs')
      const other = { ...context, workspace: context.otherWorkspace }
      await seedOutbox(other, [theirs])
      await context.storage.transact((tx) => insertDeliveries(tx, context.workspace, [mine]))
      const claimed = await claim(context)
      const taken = { sending: true, due_at: pastInstant(60) }
      const byEvent = [...claimed].sort((a, b) => (a.delivery.event < b.delivery.event ? -1 : 1))
      expect(byEvent).toEqual([
        { workspace_id: context.workspace, delivery: { ...mine, ...taken, lease: 4 } },
        { workspace_id: context.otherWorkspace, delivery: { ...theirs, ...taken, lease: 1 } },
      ])
      expect(await loadDeliveries(context, [mine.id])).toEqual([{ ...mine, ...taken, lease: 4 }])
      expect(await loadDeliveries(other, [theirs.id])).toEqual([{ ...theirs, ...taken, lease: 1 }])
    },
  },
  {
    name: 'what is due at this moment is claimed; what is due later, over or deleted is not, and stays as it is',
    async run(context) {
      const now = buildDelivery('now')
      const later = buildDelivery('later', { due_at: pastInstant(0.001) })
      const over = buildDelivery('over', { due_at: null, status: 'delivered' })
      const deleted = buildDelivery('deleted')
      await seedOutbox(context, [now, later, over, deleted])
      await context.storage.transact((tx) =>
        tx.workspace(context.workspace).deliveries.softDelete(deleted.id, pastInstant(0)),
      )
      expect(eventsOf(await claim(context))).toEqual(['now'])
      expect(await loadDeliveries(context, [later.id])).toEqual([later])
      expect(await loadDeliveries(context, [over.id])).toEqual([over])
    },
  },
  {
    name: 'what is claimed is nobody else’s until its lease ends, and then anybody’s',
    async run(context) {
      await seedOutbox(context, [buildDelivery('one')])
      expect(eventsOf(await claim(context))).toEqual(['one'])
      expect(await claim(context)).toEqual([])
      expect(await claim(context, { now: pastInstant(59.999) })).toEqual([])
      const again = await claim(context, { now: pastInstant(60), leaseUntil: pastInstant(120) })
      expect(again).toMatchObject([{ delivery: { event: 'one', lease: 2, due_at: pastInstant(120) } }])
    },
  },
  {
    name: 'what is due after the horizon was put off by a clock that has been set back: it is claimed, after what is due',
    async run(context) {
      const webhook_id = newId()
      const since = (seconds: number) => ({ webhook_id, due_at: pastInstant(seconds) })
      const rows = [
        buildDelivery('off', since(9001)),
        buildDelivery('next', since(9000)),
        buildDelivery('farther', since(9999)),
        buildDelivery('due', since(-1)),
      ]
      await seedOutbox(context, rows)
      const share: Claim['quota'] = (queue) => (queue.webhook_id === webhook_id ? queue.dueCount : 0)
      const capacity = { horizon: pastInstant(9000), maxPerQueue: 2, quota: share }
      expect(eventsOf(await claim(context, capacity))).toEqual(['due', 'off'])
      expect(eventsOf(await claim(context, capacity))).toEqual(['farther'])
      expect(await claim(context, capacity)).toEqual([])
    },
  },
]

const concurrencyCases: readonly Case[] = [
  {
    name: 'a claim sees what its transaction wrote before, waited for or not, and what it claims is seen after it',
    async run(context) {
      const { storage, workspace } = context
      const [gone, fresh] = [buildDelivery('gone'), buildDelivery('new')]
      await seedOutbox(context, [gone])
      await storage.transact(async (tx) => {
        const { deliveries } = tx.workspace(workspace)
        const written = [deliveries.hardDelete(gone.id), insertDeliveries(tx, workspace, [fresh])]
        expect(eventsOf(await tx.outbox.claim(buildClaim()))).toEqual(['new'])
        expect(await deliveries.get(fresh.id)).toMatchObject({ sending: true, lease: 1 })
        expect(await tx.outbox.claim(buildClaim())).toEqual([])
        await Promise.all(written)
      })
      expect(await claim(context)).toEqual([])
    },
  },
  {
    name: 'what was claimed in a transaction that throws, or in a part that does, is due as before',
    async run(context) {
      const row = buildDelivery('one')
      await seedOutbox(context, [row])
      const failing = context.storage.transact(async (tx) => {
        await tx.outbox.claim(buildClaim())
        throw new Error('undone')
      })
      await expect(failing).rejects.toThrow('undone')
      expect(await loadDeliveries(context, [row.id])).toEqual([row])
      const again = await context.storage.transact(async (tx) => {
        const part = tx.savepoint(async () => {
          await tx.outbox.claim(buildClaim())
          throw new Error('taken back')
        })
        await expect(part).rejects.toThrow('taken back')
        return tx.outbox.claim(buildClaim())
      })
      expect(again).toMatchObject([{ delivery: { event: 'one', lease: 1 } }])
    },
  },
  {
    name: 'of twenty that claim at once, no two take the same one, and in the end all are taken',
    async run(context) {
      const queues = [newId(), newId(), newId()]
      const rows = Array.from({ length: 90 }, (_, nth) =>
        buildDelivery(`${nth}`, { webhook_id: queues[nth % 3]!, due_at: pastInstant(nth - 100) }),
      )
      await seedOutbox(context, rows)
      const all: ClaimedDelivery[] = []
      for (let round = 0; round < rows.length && all.length < rows.length; round += 1) {
        const rounds = await Promise.all(TWENTY.map(() => claim(context, { maxPerQueue: 2 })))
        all.push(...rounds.flat())
      }
      expect(all.map(({ delivery }) => delivery.id).sort()).toEqual(rows.map(({ id }) => id).sort())
      expect(all.filter(({ delivery }) => delivery.lease !== 1)).toEqual([])
    },
  },
  {
    name: 'those who claim at once do not wait for each other',
    run: claimsConcurrently,
  },
  {
    name: 'within a read, and once its work is over, a transaction neither claims nor forgets',
    async run(context) {
      const over = buildDelivery('over', { due_at: null })
      const rows = [buildDelivery('one'), over]
      await seedOutbox(context, rows)
      await expect(context.storage.read(({ outbox }) => outbox.claim(buildClaim()))).rejects.toThrow()
      await expect(
        context.storage.read(({ outbox }) => outbox.deleteFinished(pastInstant(0), 1)),
      ).rejects.toThrow()
      const { outbox } = await context.storage.transact(async (tx) => tx)
      await expect(outbox.claim(buildClaim())).rejects.toThrow()
      await expect(outbox.deleteFinished(pastInstant(0), 1)).rejects.toThrow()
      expect(await loadDeliveries(context, [over.id])).toEqual([over])
      expect(eventsOf(await claim(context))).toEqual(['one'])
    },
  },
]

export const claims: Group = { name: 'claims', cases: [...dueCases, ...limitCases, ...concurrencyCases] }

/**
 * The first gives a second one, once that has begun, many turns to claim too. Where transactions run one after another the second has
 * not begun, and there is nothing to wait for.
 */
async function claimsConcurrently(context: Context): Promise<void> {
  const { storage, workspace } = context
  const webhook_id = newId()
  await seedOutbox(context, [buildDelivery('one', { webhook_id }), buildDelivery('two', { webhook_id })])
  const second: { begun: boolean; claimed: readonly ClaimedDelivery[] | undefined } = {
    begun: false,
    claimed: undefined,
  }
  let other: Promise<void> | undefined
  const first = await storage.transact(async (tx) => {
    const claimed = await tx.outbox.claim(buildClaim({ maxPerQueue: 1 }))
    other ??= storage.transact(async (theirs) => {
      second.begun = true
      second.claimed = await theirs.outbox.claim(buildClaim())
    })
    for (let turn = 0; turn < 5000 && !second.claimed; turn += 1) {
      if (turn === 500 && !second.begun) break
      await tx.workspace(workspace).deliveries.has([{ field: 'id', is: claimed[0]!.delivery.id }])
    }
    return { claimed, met: second.claimed !== undefined, begun: second.begun }
  })
  await other
  expect(first.met, 'met').toBe(first.begun)
  const both = [...first.claimed, ...second.claimed!, ...(await claim(context))]
  expect(eventsOf(both)).toEqual(['one', 'two'])
}
