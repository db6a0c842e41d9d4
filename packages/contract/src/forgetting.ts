import { expect } from 'vitest'
import { type Context, type Group, newId } from './case.ts'
import { delivery, kept, longAgo, post, posted, snapshot, snapshotsOf } from './outbox-samples.ts'

const OVER = { due_at: null, status: 'delivered' } as const
/** Of a snapshot that is not to be forgotten. */
const LATER = { created_at: longAgo(0.001) }

export const forgetting: Group = {
  name: 'forget',
  cases: [
    {
      name: 'what is over and was last changed by then is erased and counted; what was changed later, or waits, stays',
      async run(context) {
        const told = { snapshot_id: newId(), created_at: longAgo(-100) }
        const over = delivery('over', { ...OVER, ...told })
        const later = delivery('later', { ...OVER, ...told, updated_at: longAgo(0.001) })
        const waiting = delivery('waiting', { ...told, due_at: longAgo(-100) })
        const under = delivery('under way', { ...told, sending: true, due_at: longAgo(60) })
        await posted(context, [over, later, waiting, under])
        expect(await forget(context, 10)).toBe(1)
        expect(await kept(context, [over.id, later.id])).toEqual([later])
        expect(await kept(context, [waiting.id])).toEqual([waiting])
        expect(await kept(context, [under.id])).toEqual([under])
        await context.storage.transact((tx) => tx.workspace(context.workspace).deliveries.insert(over))
        expect(await forget(context, 10)).toBe(1)
        expect(await forget(context, 10)).toBe(0)
      },
    },
    {
      name: 'those that were changed first go first, so many at a time, whatever their workspace',
      async run(context) {
        const other = { ...context, workspace: context.elsewhere }
        const rows = [3, 1, 4, 2].map((nth) => delivery(`${nth}`, { ...OVER, created_at: longAgo(-nth), updated_at: longAgo(nth - 100) }))
        const [mine, theirs] = [rows.slice(0, 2), rows.slice(2)]
        await posted(context, mine, snapshotsOf(mine, LATER))
        await context.storage.transact((tx) => post(tx, context.elsewhere, theirs, snapshotsOf(theirs, LATER)))
        const ids = rows.map(({ id }) => id)
        const left = async () => [...(await kept(context, ids)), ...(await kept(other, ids))].map(({ event }) => event).sort()
        expect(await forget(context, 2)).toBe(2)
        expect(await left()).toEqual(['3', '4'])
        expect(await forget(context, 0)).toBe(0)
        expect(await left()).toEqual(['3', '4'])
        expect(await forget(context, 3)).toBe(2)
        expect(await left()).toEqual([])
      },
    },
    {
      name: 'a snapshot made by then is erased and counted once no delivery of its workspace tells of it, be it waiting or deleted',
      async run(context) {
        const { storage, workspace, elsewhere } = context
        const [told, untold, later, alone, spare] = [snapshot(), snapshot(), snapshot(LATER), snapshot(), snapshot()]
        const [last, gone] = [delivery('waiting', { snapshot_id: told.id }), delivery('deleted', { snapshot_id: alone.id })]
        const over = [told, untold].map(({ id }) => delivery('over', { ...OVER, snapshot_id: id }))
        const snapshots = [told, untold, later, alone, spare]
        await posted(context, [...over, last, gone], snapshots)
        await storage.transact(async (tx) => {
          await tx.workspace(workspace).deliveries.softDelete(gone.id, longAgo(0))
          await tx.workspace(elsewhere).snapshots.insert({ ...told, entity: 'theirs' })
        })
        expect(await forget(context, 10)).toBe(2 + 3)
        const ids = snapshots.map(({ id }) => id)
        expect(new Set(await snapshotsIn(context, ids))).toEqual(new Set([told, later, alone]))
        expect(await snapshotsIn({ ...context, workspace: elsewhere }, ids)).toEqual([])
        await storage.transact((tx) => tx.workspace(workspace).deliveries.erase(last.id))
        expect(await forget(context, 10)).toBe(1)
        expect(new Set(await snapshotsIn(context, ids))).toEqual(new Set([later, alone]))
      },
    },
    {
      name: 'the oldest snapshots go first, after the deliveries, so many in all at a time',
      async run(context) {
        const snapshots = [3, 1, 4, 2].map((nth) => snapshot({ created_at: longAgo(nth - 100), entity: `${nth}` }))
        const over = [1, 2, 3].map((nth) => delivery(`${nth}`, { ...OVER, snapshot_id: snapshots[1]!.id }))
        await posted(context, over, snapshots)
        const left = async () => {
          const found = await snapshotsIn(
            context,
            snapshots.map(({ id }) => id),
          )
          return found.map(({ entity }) => entity).sort()
        }
        expect(await forget(context, 2)).toBe(2)
        expect(await left()).toEqual(['1', '2', '3', '4'])
        expect(await forget(context, 3)).toBe(3)
        expect(await left()).toEqual(['3', '4'])
        expect(await forget(context, 1)).toBe(1)
        expect(await left()).toEqual(['4'])
        expect(await forget(context, 2)).toBe(1)
        expect(await forget(context, 2)).toBe(0)
      },
    },
    {
      name: 'what was forgotten in a transaction that throws is there as before',
      async run(context) {
        const row = delivery('over', OVER)
        await posted(context, [row])
        const failing = context.storage.transact(async (tx) => {
          expect(await tx.outbox.forget(longAgo(0), 10)).toBe(2)
          throw new Error('undone')
        })
        await expect(failing).rejects.toThrow('undone')
        expect(await kept(context, [row.id])).toEqual([row])
        expect(await snapshotsIn(context, [row.snapshot_id])).toEqual(snapshotsOf([row]))
      },
    },
    {
      name: 'of ten that forget at once, each counts what it erased itself',
      async run(context) {
        const rows = Array.from({ length: 25 }, (_, nth) => delivery(`${nth}`, { ...OVER, updated_at: longAgo(nth - 100) }))
        await posted(context, rows)
        const counts = await Promise.all(Array.from({ length: 10 }, () => forget(context, 7)))
        const left = async () => {
          const deliveries = await kept(
            context,
            rows.map(({ id }) => id),
          )
          const snapshots = await snapshotsIn(
            context,
            rows.map(({ snapshot_id }) => snapshot_id),
          )
          return deliveries.length + snapshots.length
        }
        const before = await left()
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(50 - before)
        expect(await forget(context, 100)).toBe(before)
        expect(await left()).toBe(0)
      },
    },
  ],
}

function forget({ storage }: Pick<Context, 'storage'>, most: number): Promise<number> {
  return storage.transact((tx) => tx.outbox.forget(longAgo(0), most))
}

function snapshotsIn({ storage, workspace }: Pick<Context, 'storage' | 'workspace'>, ids: readonly string[]) {
  return storage.read((tx) => tx.workspace(workspace).snapshots.getMany(ids))
}
