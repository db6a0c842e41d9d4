import { memoryStorage } from '@sales-crm/core/memory'
import type { ClaimedDelivery, Outbox, Storage, Transaction } from '@sales-crm/core/ports'
import type { Row } from '../src/collections.ts'
import { FAR_FUTURE } from '../src/sample-deliveries.ts'
import { alterStorage } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'
import { commitEachCall } from './broken-transactions.ts'
import { deferredStorage } from './deferred-storage.ts'

const DELETED =
  'deleteFinished: deletes and counts deliveries finished by then, and keeps later and pending ones'
const ORDER =
  'deleteFinished: deletes the least recently changed deliveries first, up to the limit, in any workspace'
const SNAPSHOTS =
  'deleteFinished: deletes old snapshots to which no delivery of the workspace refers, even a deleted one'
const SNAPSHOT_ORDER =
  'deleteFinished: deletes the oldest snapshots first, after the deliveries, within one limit'

export const OUTBOX_RETENTION_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'Pending deliveries are kept',
    breakage: 'deliveries are deleted by age alone',
    noticedBy: DELETED,
    open: () => deleteChosen((rows) => rows),
  },
  {
    guarantee: 'Deliveries changed later are kept',
    breakage: 'deliveries are deleted by creation date',
    noticedBy: DELETED,
    open: () => deleteChosen(filterFinished, undefined, 'created_at'),
  },
  {
    guarantee: 'deleteFinished counts the deleted rows',
    breakage: 'deleteFinished returns the limit',
    noticedBy: DELETED,
    open: () =>
      alterDeleteFinished(
        (outbox) => async (changedUntil, limit) =>
          outbox.deleteFinished(changedUntil, limit).then(() => limit),
      ),
  },
  {
    guarantee: 'Finished deliveries are removed entirely',
    breakage: 'finished deliveries are soft-deleted',
    noticedBy: DELETED,
    open: () =>
      deleteChosen(filterFinished, (tx, { workspace, row }) =>
        tx.workspace(workspace).deliveries.softDelete(row.id, FAR_FUTURE),
      ),
  },
  {
    guarantee: 'The least recently changed deliveries are deleted first',
    breakage: 'the most recently changed deliveries are deleted first',
    noticedBy: ORDER,
    open: () => deleteChosen((rows) => filterFinished(rows).toReversed()),
  },
  {
    guarantee: 'deleteFinished obeys the limit',
    breakage: 'deleteFinished ignores the limit',
    noticedBy: ORDER,
    open: () =>
      alterDeleteFinished((outbox) => (changedUntil) => outbox.deleteFinished(changedUntil, Infinity)),
  },
  {
    guarantee: 'Snapshots are deleted',
    breakage: 'only deliveries are deleted',
    noticedBy: SNAPSHOTS,
    open: () => deleteChosen(filterFinished),
  },
  {
    guarantee: 'A snapshot is kept while a delivery refers to it',
    breakage: 'snapshots are deleted by age alone',
    noticedBy: SNAPSHOTS,
    open: () => deleteSnapshots(() => true),
  },
  {
    guarantee: 'A deleted delivery keeps its snapshot',
    breakage: 'only live deliveries keep their snapshot',
    noticedBy: SNAPSHOTS,
    open: () =>
      deleteSnapshots(async (tx, { workspace, row }) => {
        const { deliveries } = tx.workspace(workspace)
        return !(await deliveries.has([{ field: 'snapshot_id', is: row.id }]))
      }),
  },
  {
    guarantee: 'Deliveries keep only snapshots of their workspace',
    breakage: 'a delivery of any workspace keeps a snapshot',
    noticedBy: SNAPSHOTS,
    open: () => deleteSnapshots((_, { row }, referenced) => !referenced.has(row.id)),
  },
  {
    guarantee: 'The oldest snapshots are deleted first',
    breakage: 'the newest snapshots are deleted first',
    noticedBy: SNAPSHOT_ORDER,
    open: () =>
      deleteSnapshots((_, { workspace, row }, referenced) => referenced.get(row.id) !== workspace, true),
  },
  {
    guarantee: 'Deliveries and snapshots share the limit',
    breakage: 'the limit applies to deliveries and snapshots separately',
    noticedBy: SNAPSHOT_ORDER,
    open: () =>
      alterDeleteFinished(
        (outbox) => async (changedUntil, limit) =>
          (await outbox.deleteFinished(changedUntil, limit)) +
          (await outbox.deleteFinished(changedUntil, limit)),
      ),
  },
  {
    guarantee: 'deleteFinished is rolled back with its transaction',
    breakage: 'deleteFinished commits by itself',
    noticedBy: 'deleteFinished: is rolled back with its transaction',
    open: commitEachCall,
  },
  {
    guarantee: 'Each row is counted once',
    breakage: 'concurrent calls count the same rows',
    noticedBy: 'deleteFinished: counts each row once among ten concurrent calls',
    open: () => deferredStorage({ deleteFinished: 'unlocked' }),
  },
]

type DeleteFinished = Outbox['deleteFinished']

function alterDeleteFinished(
  deleteFinished: (outbox: Outbox, tx: Transaction) => DeleteFinished,
  storage = memoryStorage(),
): Storage {
  return {
    ...storage,
    transact: (work) =>
      storage.transact((tx) =>
        work({ ...tx, outbox: { ...tx.outbox, deleteFinished: deleteFinished(tx.outbox, tx) } }),
      ),
  }
}

interface StoredRow {
  readonly workspace: string
  readonly row: ClaimedDelivery['delivery'] & Row
}

const filterFinished = (rows: readonly StoredRow[]) => rows.filter(({ row }) => row.due_at === null)
const hardDeleteRow = (tx: Transaction, { workspace, row }: StoredRow): Promise<unknown> =>
  tx.workspace(workspace).deliveries.hardDelete(row.id)

/** A memory store that records the rows passed to insertMany, and lists them oldest first. */
function trackRows() {
  const inserted: { readonly name: string; readonly stored: StoredRow }[] = []
  const storage = alterStorage((store, { spec, workspace }) => ({
    async insertMany(rows) {
      inserted.push(
        ...rows.map((row) => ({
          name: spec.name,
          stored: { workspace, row: row as unknown as StoredRow['row'] },
        })),
      )
      await store.insertMany(rows)
    },
  }))
  const listOldest = (
    name: string,
    field: 'created_at' | 'updated_at',
    last: string = FAR_FUTURE,
  ): StoredRow[] =>
    inserted
      .flatMap((each) => (each.name === name && each.stored.row[field] <= last ? each.stored : []))
      .sort((a, b) => (a.row[field] < b.row[field] ? -1 : 1))
  const remove = (removed: StoredRow) => {
    inserted.splice(
      inserted.findIndex(({ stored }) => stored === removed),
      1,
    )
  }
  return { storage, listOldest, remove }
}

/** A store that deletes the deliveries `choose` selects from those old enough, given oldest first. */
function deleteChosen(
  choose: (rows: readonly StoredRow[]) => readonly StoredRow[],
  deleteRow = hardDeleteRow,
  field: 'created_at' | 'updated_at' = 'updated_at',
): Storage {
  const { storage, listOldest, remove } = trackRows()
  return alterDeleteFinished(
    (_, tx) => async (changedUntil, limit) => {
      const chosen = choose(listOldest('deliveries', field, changedUntil)).slice(0, limit)
      for (const each of chosen) {
        await deleteRow(tx, each)
        remove(each)
      }
      return chosen.length
    },
    storage,
  )
}

type CanDelete = (
  tx: Transaction,
  snapshot: StoredRow,
  referenced: ReadonlyMap<string, string>,
) => boolean | Promise<boolean>

/** @param canDelete receives a map from the ids of referenced snapshots to a workspace with a reference */
function deleteSnapshots(canDelete: CanDelete, newestFirst = false): Storage {
  const { storage, listOldest, remove } = trackRows()
  return alterDeleteFinished(
    (_, tx) => async (changedUntil, limit) => {
      const finished = filterFinished(listOldest('deliveries', 'updated_at', changedUntil)).slice(0, limit)
      for (const each of finished) {
        await hardDeleteRow(tx, each)
        remove(each)
      }
      const referenced = new Map(
        listOldest('deliveries', 'updated_at').map(({ workspace, row }) => [row.snapshot_id, workspace]),
      )
      const snapshots = listOldest('snapshots', 'created_at', changedUntil)
      let deletedCount = finished.length
      for (const each of newestFirst ? snapshots.toReversed() : snapshots) {
        if (deletedCount >= limit || !(await canDelete(tx, each, referenced))) continue
        await tx.workspace(each.workspace).snapshots.hardDelete(each.row.id)
        remove(each)
        deletedCount += 1
      }
      return deletedCount
    },
    storage,
  )
}
