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
/** Fields of a snapshot too recent to be deleted. */
const LATER = { created_at: pastInstant(0.001) }

export const outboxRetention: Group = {
  name: 'deleteFinished',
  cases: [
    {
      name: 'deletes and counts deliveries finished by then, and keeps later and pending ones',
      async run(context) {
        const common = { snapshot_id: newId(), created_at: pastInstant(-100) }
        const finished = buildDelivery('finished', { ...FINISHED, ...common })
        const later = buildDelivery('later', { ...FINISHED, ...common, updated_at: pastInstant(0.001) })
        const pending = buildDelivery('pending', { ...common, due_at: pastInstant(-100) })
        const inFlight = buildDelivery('in flight', { ...common, sending: true, due_at: pastInstant(60) })
        await seedOutbox(context, [finished, later, pending, inFlight])
        expect(await deleteFinished(context, 10)).toBe(1)
        expect(await loadDeliveries(context, [finished.id, later.id])).toEqual([later])
        expect(await loadDeliveries(context, [pending.id])).toEqual([pending])
        expect(await loadDeliveries(context, [inFlight.id])).toEqual([inFlight])
        await context.storage.transact((tx) => tx.workspace(context.workspace).deliveries.insert(finished))
        expect(await deleteFinished(context, 10)).toBe(1)
        expect(await deleteFinished(context, 10)).toBe(0)
      },
    },
    {
      name: 'deletes the least recently changed deliveries first, up to the limit, in any workspace',
      async run(context) {
        const other = { ...context, workspace: context.otherWorkspace }
        const rows = [3, 1, 4, 2].map((nth) =>
          buildDelivery(`${nth}`, {
            ...FINISHED,
            created_at: pastInstant(-nth),
            updated_at: pastInstant(nth - 100),
          }),
        )
        const [own, foreign] = [rows.slice(0, 2), rows.slice(2)]
        await seedOutbox(context, own, buildSnapshots(own, LATER))
        await context.storage.transact((tx) =>
          insertDeliveries(tx, context.otherWorkspace, foreign, buildSnapshots(foreign, LATER)),
        )
        const ids = rows.map(({ id }) => id)
        const listRemaining = async () =>
          [...(await loadDeliveries(context, ids)), ...(await loadDeliveries(other, ids))]
            .map(({ event }) => event)
            .sort()
        expect(await deleteFinished(context, 2)).toBe(2)
        expect(await listRemaining()).toEqual(['3', '4'])
        expect(await deleteFinished(context, 0)).toBe(0)
        expect(await listRemaining()).toEqual(['3', '4'])
        expect(await deleteFinished(context, 3)).toBe(2)
        expect(await listRemaining()).toEqual([])
      },
    },
    {
      name: 'deletes old snapshots to which no delivery of the workspace refers, even a deleted one',
      async run(context) {
        const { storage, workspace, otherWorkspace } = context
        const [referenced, released, later, referencedByDeleted, unreferenced] = [
          buildSnapshot(),
          buildSnapshot(),
          buildSnapshot(LATER),
          buildSnapshot(),
          buildSnapshot(),
        ]
        const [pending, deleted] = [
          buildDelivery('pending', { snapshot_id: referenced.id }),
          buildDelivery('deleted', { snapshot_id: referencedByDeleted.id }),
        ]
        const finished = [referenced, released].map(({ id }) =>
          buildDelivery('finished', { ...FINISHED, snapshot_id: id }),
        )
        const snapshots = [referenced, released, later, referencedByDeleted, unreferenced]
        await seedOutbox(context, [...finished, pending, deleted], snapshots)
        await storage.transact(async (tx) => {
          await tx.workspace(workspace).deliveries.softDelete(deleted.id, pastInstant(0))
          await tx.workspace(otherWorkspace).snapshots.insert({ ...referenced, entity: 'theirs' })
        })
        expect(await deleteFinished(context, 10)).toBe(2 + 3)
        const ids = snapshots.map(({ id }) => id)
        expect(new Set(await loadSnapshots(context, ids))).toEqual(
          new Set([referenced, later, referencedByDeleted]),
        )
        expect(await loadSnapshots({ ...context, workspace: otherWorkspace }, ids)).toEqual([])
        await storage.transact((tx) => tx.workspace(workspace).deliveries.hardDelete(pending.id))
        expect(await deleteFinished(context, 10)).toBe(1)
        expect(new Set(await loadSnapshots(context, ids))).toEqual(new Set([later, referencedByDeleted]))
      },
    },
    {
      name: 'deletes the oldest snapshots first, after the deliveries, within one limit',
      async run(context) {
        const snapshots = [3, 1, 4, 2].map((nth) =>
          buildSnapshot({ created_at: pastInstant(nth - 100), entity: `${nth}` }),
        )
        const finished = [1, 2, 3].map((nth) =>
          buildDelivery(`${nth}`, { ...FINISHED, snapshot_id: snapshots[1]!.id }),
        )
        await seedOutbox(context, finished, snapshots)
        const listRemaining = async () => {
          const remaining = await loadSnapshots(
            context,
            snapshots.map(({ id }) => id),
          )
          return remaining.map(({ entity }) => entity).sort()
        }
        expect(await deleteFinished(context, 2)).toBe(2)
        expect(await listRemaining()).toEqual(['1', '2', '3', '4'])
        expect(await deleteFinished(context, 3)).toBe(3)
        expect(await listRemaining()).toEqual(['3', '4'])
        expect(await deleteFinished(context, 1)).toBe(1)
        expect(await listRemaining()).toEqual(['4'])
        expect(await deleteFinished(context, 2)).toBe(1)
        expect(await deleteFinished(context, 2)).toBe(0)
      },
    },
    {
      name: 'is rolled back with its transaction',
      async run(context) {
        const row = buildDelivery('finished', FINISHED)
        await seedOutbox(context, [row])
        const failing = context.storage.transact(async (tx) => {
          expect(await tx.outbox.deleteFinished(pastInstant(0), 10)).toBe(2)
          throw new Error('rolled back')
        })
        await expect(failing).rejects.toThrow('rolled back')
        expect(await loadDeliveries(context, [row.id])).toEqual([row])
        expect(await loadSnapshots(context, [row.snapshot_id])).toEqual(buildSnapshots([row]))
      },
    },
    {
      name: 'counts each row once among ten concurrent calls',
      async run(context) {
        const rows = Array.from({ length: 25 }, (_, nth) =>
          buildDelivery(`${nth}`, { ...FINISHED, updated_at: pastInstant(nth - 100) }),
        )
        await seedOutbox(context, rows)
        const counts = await Promise.all(Array.from({ length: 10 }, () => deleteFinished(context, 7)))
        const countRemaining = async () => {
          const deliveries = await loadDeliveries(
            context,
            rows.map(({ id }) => id),
          )
          const snapshots = await loadSnapshots(
            context,
            rows.map(({ snapshot_id }) => snapshot_id),
          )
          return deliveries.length + snapshots.length
        }
        const remaining = await countRemaining()
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(50 - remaining)
        expect(await deleteFinished(context, 100)).toBe(remaining)
        expect(await countRemaining()).toBe(0)
      },
    },
  ],
}

function deleteFinished({ storage }: Pick<Context, 'storage'>, limit: number): Promise<number> {
  return storage.transact((tx) => tx.outbox.deleteFinished(pastInstant(0), limit))
}

function loadSnapshots(
  { storage, workspace }: Pick<Context, 'storage' | 'workspace'>,
  ids: readonly string[],
) {
  return storage.read((tx) => tx.workspace(workspace).snapshots.getMany(ids))
}
