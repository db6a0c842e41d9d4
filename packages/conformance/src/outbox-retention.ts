import { expect } from 'vitest'
import { type Context, type Group, newId } from './case.ts'
import {
  buildDelivery,
  buildSnapshot,
  buildSnapshots,
  insertDeliveries,
  loadDeliveries,
  pastInstant,
  seedOutbox,
} from './sample-deliveries.ts'

const FINISHED = { due_at: null, status: 'delivered' } as const
/** Of a snapshot that is not to be forgotten. */
const LATER = { created_at: pastInstant(0.001) }

export const outboxRetention: Group = {
  name: 'forget',
  cases: [
    {
      name: 'what is over and was last changed by then is erased and counted; what was changed later, or waits, stays',
      async run(context) {
        const told = { snapshot_id: newId(), created_at: pastInstant(-100) }
        const over = buildDelivery('over', { ...FINISHED, ...told })
        const later = buildDelivery('later', { ...FINISHED, ...told, updated_at: pastInstant(0.001) })
        const waiting = buildDelivery('waiting', { ...told, due_at: pastInstant(-100) })
        const under = buildDelivery('under way', { ...told, sending: true, due_at: pastInstant(60) })
        await seedOutbox(context, [over, later, waiting, under])
        expect(await forget(context, 10)).toBe(1)
        expect(await loadDeliveries(context, [over.id, later.id])).toEqual([later])
        expect(await loadDeliveries(context, [waiting.id])).toEqual([waiting])
        expect(await loadDeliveries(context, [under.id])).toEqual([under])
        await context.storage.transact((tx) => tx.workspace(context.workspace).deliveries.insert(over))
        expect(await forget(context, 10)).toBe(1)
        expect(await forget(context, 10)).toBe(0)
      },
    },
    {
      name: 'those that were changed first go first, so many at a time, whatever their workspace',
      async run(context) {
        const other = { ...context, workspace: context.otherWorkspace }
        const rows = [3, 1, 4, 2].map((nth) =>
          buildDelivery(`${nth}`, {
            ...FINISHED,
            created_at: pastInstant(-nth),
            updated_at: pastInstant(nth - 100),
          }),
        )
        const [mine, theirs] = [rows.slice(0, 2), rows.slice(2)]
        await seedOutbox(context, mine, buildSnapshots(mine, LATER))
        await context.storage.transact((tx) =>
          insertDeliveries(tx, context.otherWorkspace, theirs, buildSnapshots(theirs, LATER)),
        )
        const ids = rows.map(({ id }) => id)
        const left = async () =>
          [...(await loadDeliveries(context, ids)), ...(await loadDeliveries(other, ids))]
            .map(({ event }) => event)
            .sort()
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
        const { storage, workspace, otherWorkspace } = context
        const [told, untold, later, alone, spare] = [
          buildSnapshot(),
          buildSnapshot(),
          buildSnapshot(LATER),
          buildSnapshot(),
          buildSnapshot(),
        ]
        const [last, gone] = [
          buildDelivery('waiting', { snapshot_id: told.id }),
          buildDelivery('deleted', { snapshot_id: alone.id }),
        ]
        const over = [told, untold].map(({ id }) => buildDelivery('over', { ...FINISHED, snapshot_id: id }))
        const snapshots = [told, untold, later, alone, spare]
        await seedOutbox(context, [...over, last, gone], snapshots)
        await storage.transact(async (tx) => {
          await tx.workspace(workspace).deliveries.softDelete(gone.id, pastInstant(0))
          await tx.workspace(otherWorkspace).snapshots.insert({ ...told, entity: 'theirs' })
        })
        expect(await forget(context, 10)).toBe(2 + 3)
        const ids = snapshots.map(({ id }) => id)
        expect(new Set(await snapshotsIn(context, ids))).toEqual(new Set([told, later, alone]))
        expect(await snapshotsIn({ ...context, workspace: otherWorkspace }, ids)).toEqual([])
        await storage.transact((tx) => tx.workspace(workspace).deliveries.hardDelete(last.id))
        expect(await forget(context, 10)).toBe(1)
        expect(new Set(await snapshotsIn(context, ids))).toEqual(new Set([later, alone]))
      },
    },
    {
      name: 'the oldest snapshots go first, after the deliveries, so many in all at a time',
      async run(context) {
        const snapshots = [3, 1, 4, 2].map((nth) =>
          buildSnapshot({ created_at: pastInstant(nth - 100), entity: `${nth}` }),
        )
        const over = [1, 2, 3].map((nth) =>
          buildDelivery(`${nth}`, { ...FINISHED, snapshot_id: snapshots[1]!.id }),
        )
        await seedOutbox(context, over, snapshots)
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
        const row = buildDelivery('over', FINISHED)
        await seedOutbox(context, [row])
        const failing = context.storage.transact(async (tx) => {
          expect(await tx.outbox.deleteFinished(pastInstant(0), 10)).toBe(2)
          throw new Error('undone')
        })
        await expect(failing).rejects.toThrow('undone')
        expect(await loadDeliveries(context, [row.id])).toEqual([row])
        expect(await snapshotsIn(context, [row.snapshot_id])).toEqual(buildSnapshots([row]))
      },
    },
    {
      name: 'of ten that forget at once, each counts what it erased itself',
      async run(context) {
        const rows = Array.from({ length: 25 }, (_, nth) =>
          buildDelivery(`${nth}`, { ...FINISHED, updated_at: pastInstant(nth - 100) }),
        )
        await seedOutbox(context, rows)
        const counts = await Promise.all(Array.from({ length: 10 }, () => forget(context, 7)))
        const left = async () => {
          const deliveries = await loadDeliveries(
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
  return storage.transact((tx) => tx.outbox.deleteFinished(pastInstant(0), most))
}

function snapshotsIn({ storage, workspace }: Pick<Context, 'storage' | 'workspace'>, ids: readonly string[]) {
  return storage.read((tx) => tx.workspace(workspace).snapshots.getMany(ids))
}
