import type { Attempt, Claimed, Delivered } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Context, type Group, newId } from './case.ts'
import { delivery, kept, longAgo, post, posted } from './outbox-samples.ts'

type Delivery = Claimed['delivery']

const ATTEMPT: Attempt = { created_at: longAgo(1), duration_ms: 7, status: 204, error: null, response: 'é "\\ \u2028' }
const UNDER_WAY = { sending: true, lease: 3, due_at: longAgo(60) }
const DELIVERED = { status: 'delivered', reason: null, attempts: [ATTEMPT], attempts_count: 1, due_at: null, sending: false } as const

/** Of one that is under way: it was delivered. */
export function delivered({ workspace }: Pick<Context, 'workspace'>, { id, lease }: Delivery): Delivered {
  return { workspace_id: workspace, id, lease, attempt: ATTEMPT, updated_at: longAgo(2) }
}

function note({ storage }: Pick<Context, 'storage'>, all: readonly Delivered[]): Promise<number> {
  return storage.transact((tx) => tx.outbox.noteDelivered(all))
}

export const noting: Group = {
  name: 'noteDelivered',
  cases: [
    {
      name: 'each that is under way under its lease is delivered, with the attempt, whatever its workspace; the others stay as they are',
      async run(context) {
        const other = { ...context, workspace: context.elsewhere }
        const [mine, second, left, theirs] = [1, 2, 3, 4].map((nth) => delivery(`${nth}`, UNDER_WAY)) as [
          Delivery,
          Delivery,
          Delivery,
          Delivery,
        ]
        await posted(context, [mine, second, left])
        await context.storage.transact((tx) => post(tx, other.workspace, [theirs]))
        expect(await note(context, [delivered(context, mine), delivered(context, second), delivered(other, theirs)])).toBe(3)
        const after = (before: Delivery) => [{ ...before, ...DELIVERED, updated_at: longAgo(2) }]
        expect(await kept(context, [mine.id])).toEqual(after(mine))
        expect(await kept(context, [second.id])).toEqual(after(second))
        expect(await kept(other, [theirs.id])).toEqual(after(theirs))
        expect(await kept(context, [left.id])).toEqual([left])
        expect(await note(context, [])).toBe(0)
      },
    },
    {
      name: 'one that was claimed since, given back, tried before, deleted, or is of another workspace stays as it is, and is not counted',
      async run(context) {
        const rows = {
          claimed: delivery('claimed since', { ...UNDER_WAY, lease: 4 }),
          back: delivery('given back', { ...UNDER_WAY, sending: false }),
          tried: delivery('tried before', { ...UNDER_WAY, attempts: [{ ...ATTEMPT, status: 500 }], attempts_count: 1 }),
          unsigned: delivery('not signed before', { ...UNDER_WAY, attempts: [{ ...ATTEMPT, status: null, error: 'not_signed' }] }),
          theirs: delivery('theirs', UNDER_WAY),
          sound: delivery('sound', UNDER_WAY),
        }
        const deleted = delivery('deleted', UNDER_WAY)
        const { theirs, sound, ...mine } = rows
        await posted(context, [...Object.values(mine), sound, deleted])
        await context.storage.transact(async (tx) => {
          await post(tx, context.elsewhere, [theirs])
          await tx.workspace(context.workspace).deliveries.softDelete(deleted.id, longAgo(0))
        })
        const all = [...Object.values(mine), theirs, sound, deleted, delivery('nowhere')].map((row) =>
          delivered(context, { ...row, lease: 3 }),
        )
        expect(await note(context, all)).toBe(1)
        for (const row of Object.values(mine)) expect(await kept(context, [row.id])).toEqual([row])
        expect(await kept({ ...context, workspace: context.elsewhere }, [theirs.id])).toEqual([theirs])
        expect(await kept(context, [sound.id])).toMatchObject([DELIVERED])
        expect(await note(context, all)).toBe(0)
      },
    },
    {
      name: 'it sees what its transaction claimed, and is undone with it',
      async run(context) {
        const row = delivery('one', { due_at: longAgo(0), webhook_id: newId() })
        await posted(context, [row])
        const failing = context.storage.transact(async (tx) => {
          await tx.workspace(context.workspace).deliveries.update({ ...row, ...UNDER_WAY })
          expect(await tx.outbox.noteDelivered([delivered(context, { ...row, lease: 3 })])).toBe(1)
          expect(await tx.workspace(context.workspace).deliveries.get(row.id)).toMatchObject(DELIVERED)
          throw new Error('undone')
        })
        await expect(failing).rejects.toThrow('undone')
        expect(await kept(context, [row.id])).toEqual([row])
      },
    },
    {
      name: 'of ten that note the same at once, one counts each',
      async run(context) {
        const rows = Array.from({ length: 20 }, (_, nth) => delivery(`${nth}`, UNDER_WAY))
        await posted(context, rows)
        const all = rows.map((row) => delivered(context, row))
        const noted = await Promise.all(Array.from({ length: 10 }, () => note(context, all)))
        expect(noted.reduce((sum, each) => sum + each, 0)).toBe(20)
      },
    },
    {
      name: 'within a read, and once its work is over, a transaction notes nothing',
      async run(context) {
        const row = delivery('one', UNDER_WAY)
        await posted(context, [row])
        const all = [delivered(context, row)]
        await expect(context.storage.read(({ outbox }) => outbox.noteDelivered(all))).rejects.toThrow()
        const { outbox } = await context.storage.transact(async (tx) => tx)
        await expect(outbox.noteDelivered(all)).rejects.toThrow()
        expect(await kept(context, [row.id])).toEqual([row])
      },
    },
  ],
}
