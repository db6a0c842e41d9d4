import type { Claim, Claimed } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Case, type Context, type Group, newId } from './case.ts'
import { bounds } from './claim-bounds.ts'
import { claim, claimOf, delivery, eventsOf, kept, longAgo, post, posted } from './outbox-samples.ts'

const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)

const whatIsDue: readonly Case[] = [
  {
    name: 'what is due is given and stored as it was, but sending, due again at `until`, its lease one higher',
    async run(context) {
      const tried = { created_at: longAgo(-900), duration_ms: 7, status: 500, error: null, response: 'é "\\' }
      const mine = delivery('mine', { lease: 3, attempts: [tried], attempts_count: 1, last_attempt: true, due_at: longAgo(-1) })
      const theirs = delivery('theirs')
      const other = { ...context, workspace: context.elsewhere }
      await posted(other, [theirs])
      await context.storage.transact((tx) => post(tx, context.workspace, [mine]))
      const claimed = await claim(context)
      const taken = { sending: true, due_at: longAgo(60) }
      const byEvent = [...claimed].sort((a, b) => (a.delivery.event < b.delivery.event ? -1 : 1))
      expect(byEvent).toEqual([
        { workspace_id: context.workspace, delivery: { ...mine, ...taken, lease: 4 } },
        { workspace_id: context.elsewhere, delivery: { ...theirs, ...taken, lease: 1 } },
      ])
      expect(await kept(context, [mine.id])).toEqual([{ ...mine, ...taken, lease: 4 }])
      expect(await kept(other, [theirs.id])).toEqual([{ ...theirs, ...taken, lease: 1 }])
    },
  },
  {
    name: 'what is due at this moment is claimed; what is due later, over or deleted is not, and stays as it is',
    async run(context) {
      const now = delivery('now')
      const later = delivery('later', { due_at: longAgo(0.001) })
      const over = delivery('over', { due_at: null, status: 'delivered' })
      const deleted = delivery('deleted')
      await posted(context, [now, later, over, deleted])
      await context.storage.transact((tx) => tx.workspace(context.workspace).deliveries.softDelete(deleted.id, longAgo(0)))
      expect(eventsOf(await claim(context))).toEqual(['now'])
      expect(await kept(context, [later.id])).toEqual([later])
      expect(await kept(context, [over.id])).toEqual([over])
    },
  },
  {
    name: 'what is claimed is nobody else’s until its lease ends, and then anybody’s',
    async run(context) {
      await posted(context, [delivery('one')])
      expect(eventsOf(await claim(context))).toEqual(['one'])
      expect(await claim(context)).toEqual([])
      expect(await claim(context, { now: longAgo(59.999) })).toEqual([])
      const again = await claim(context, { now: longAgo(60), until: longAgo(120) })
      expect(again).toMatchObject([{ delivery: { event: 'one', lease: 2, due_at: longAgo(120) } }])
    },
  },
  {
    name: 'what is due after the horizon was put off by a clock that has been set back: it is claimed, after what is due',
    async run(context) {
      const webhook_id = newId()
      const since = (seconds: number) => ({ webhook_id, due_at: longAgo(seconds) })
      const rows = [
        delivery('off', since(9001)),
        delivery('next', since(9000)),
        delivery('farther', since(9999)),
        delivery('due', since(-1)),
      ]
      await posted(context, rows)
      const share: Claim['share'] = (lane) => (lane.webhook_id === webhook_id ? lane.waiting : 0)
      const room = { horizon: longAgo(9000), each: 2, share }
      expect(eventsOf(await claim(context, room))).toEqual(['due', 'off'])
      expect(eventsOf(await claim(context, room))).toEqual(['farther'])
      expect(await claim(context, room)).toEqual([])
    },
  },
]

const within: readonly Case[] = [
  {
    name: 'a claim sees what its transaction wrote before, waited for or not, and what it claims is seen after it',
    async run(context) {
      const { storage, workspace } = context
      const [gone, fresh] = [delivery('gone'), delivery('new')]
      await posted(context, [gone])
      await storage.transact(async (tx) => {
        const { deliveries } = tx.workspace(workspace)
        const written = [deliveries.erase(gone.id), post(tx, workspace, [fresh])]
        expect(eventsOf(await tx.outbox.claim(claimOf()))).toEqual(['new'])
        expect(await deliveries.get(fresh.id)).toMatchObject({ sending: true, lease: 1 })
        expect(await tx.outbox.claim(claimOf())).toEqual([])
        await Promise.all(written)
      })
      expect(await claim(context)).toEqual([])
    },
  },
  {
    name: 'what was claimed in a transaction that throws, or in a part that does, is due as before',
    async run(context) {
      const row = delivery('one')
      await posted(context, [row])
      const failing = context.storage.transact(async (tx) => {
        await tx.outbox.claim(claimOf())
        throw new Error('undone')
      })
      await expect(failing).rejects.toThrow('undone')
      expect(await kept(context, [row.id])).toEqual([row])
      const again = await context.storage.transact(async (tx) => {
        const part = tx.attempt(async () => {
          await tx.outbox.claim(claimOf())
          throw new Error('taken back')
        })
        await expect(part).rejects.toThrow('taken back')
        return tx.outbox.claim(claimOf())
      })
      expect(again).toMatchObject([{ delivery: { event: 'one', lease: 1 } }])
    },
  },
  {
    name: 'of twenty that claim at once, no two take the same one, and in the end all are taken',
    async run(context) {
      const lanes = [newId(), newId(), newId()]
      const rows = Array.from({ length: 90 }, (_, nth) => delivery(`${nth}`, { webhook_id: lanes[nth % 3]!, due_at: longAgo(nth - 100) }))
      await posted(context, rows)
      const all: Claimed[] = []
      for (let round = 0; round < rows.length && all.length < rows.length; round += 1) {
        const rounds = await Promise.all(TWENTY.map(() => claim(context, { each: 2 })))
        all.push(...rounds.flat())
      }
      expect(all.map(({ delivery }) => delivery.id).sort()).toEqual(rows.map(({ id }) => id).sort())
      expect(all.filter(({ delivery }) => delivery.lease !== 1)).toEqual([])
    },
  },
  {
    name: 'those who claim at once do not wait for each other',
    run: claimersMeet,
  },
  {
    name: 'within a read, and once its work is over, a transaction neither claims nor forgets',
    async run(context) {
      const over = delivery('over', { due_at: null })
      const rows = [delivery('one'), over]
      await posted(context, rows)
      await expect(context.storage.read(({ outbox }) => outbox.claim(claimOf()))).rejects.toThrow()
      await expect(context.storage.read(({ outbox }) => outbox.forget(longAgo(0), 1))).rejects.toThrow()
      const { outbox } = await context.storage.transact(async (tx) => tx)
      await expect(outbox.claim(claimOf())).rejects.toThrow()
      await expect(outbox.forget(longAgo(0), 1)).rejects.toThrow()
      expect(await kept(context, [over.id])).toEqual([over])
      expect(eventsOf(await claim(context))).toEqual(['one'])
    },
  },
]

export const claims: Group = { name: 'claims', cases: [...whatIsDue, ...bounds, ...within] }

/**
 * The first gives a second one, once that has begun, many turns to claim too. Where transactions run one after another the second has
 * not begun, and there is nothing to wait for.
 */
async function claimersMeet(context: Context): Promise<void> {
  const { storage, workspace } = context
  const webhook_id = newId()
  await posted(context, [delivery('one', { webhook_id }), delivery('two', { webhook_id })])
  const second: { begun: boolean; claimed: readonly Claimed[] | undefined } = { begun: false, claimed: undefined }
  let other: Promise<void> | undefined
  const first = await storage.transact(async (tx) => {
    const claimed = await tx.outbox.claim(claimOf({ each: 1 }))
    other ??= storage.transact(async (theirs) => {
      second.begun = true
      second.claimed = await theirs.outbox.claim(claimOf())
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
