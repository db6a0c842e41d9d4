import { memoryStorage } from '@sales-crm/core/memory'
import type { ClaimedDelivery, Outbox, Storage, Transaction } from '@sales-crm/core/ports'
import type { Row } from '../src/collections.ts'
import { FAR_FUTURE } from '../src/sample-deliveries.ts'
import { alterStorage } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'
import { deferredStorage } from './deferred-storage.ts'
import { commitsEachCall } from './transaction-breakages.ts'

const ERASED =
  'forget: what is over and was last changed by then is erased and counted; what was changed later, or waits, stays'
const FIRST = 'forget: those that were changed first go first, so many at a time, whatever their workspace'
const SNAPSHOTS =
  'forget: a snapshot made by then is erased and counted once no delivery of its workspace tells of it, be it waiting or deleted'
const OLDEST = 'forget: the oldest snapshots go first, after the deliveries, so many in all at a time'

export const OUTBOX_RETENTION_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'What waits is not forgotten',
    breakage: 'forget goes by age alone',
    noticedBy: ERASED,
    open: () => forgetChosen((rows) => rows),
  },
  {
    guarantee: 'What was changed later is not forgotten',
    breakage: 'forget goes by when it was made',
    noticedBy: ERASED,
    open: () => forgetChosen(areOver, undefined, 'created_at'),
  },
  {
    guarantee: 'forget counts what it erased',
    breakage: 'it gives how many it was asked for',
    noticedBy: ERASED,
    open: () =>
      alterForget((outbox) => async (changed, most) => outbox.deleteFinished(changed, most).then(() => most)),
  },
  {
    guarantee: 'What is forgotten has never been',
    breakage: 'it is deleted as softDelete does',
    noticedBy: ERASED,
    open: () =>
      forgetChosen(areOver, (tx, { workspace, row }) =>
        tx.workspace(workspace).deliveries.softDelete(row.id, FAR_FUTURE),
      ),
  },
  {
    guarantee: 'What was changed first is forgotten first',
    breakage: 'what was changed last is',
    noticedBy: FIRST,
    open: () => forgetChosen((rows) => areOver(rows).toReversed()),
  },
  {
    guarantee: 'forget erases no more than it is asked to',
    breakage: 'it erases all at once',
    noticedBy: FIRST,
    open: () => alterForget((outbox) => (changed) => outbox.deleteFinished(changed, Infinity)),
  },
  {
    guarantee: 'Snapshots are forgotten',
    breakage: 'only deliveries are',
    noticedBy: SNAPSHOTS,
    open: () => forgetChosen(areOver),
  },
  {
    guarantee: 'A snapshot stays for as long as a delivery tells of it',
    breakage: 'snapshots go by age alone',
    noticedBy: SNAPSHOTS,
    open: () => forgetSnapshots(() => true),
  },
  {
    guarantee: 'A deleted delivery keeps its snapshot',
    breakage: 'only live ones do',
    noticedBy: SNAPSHOTS,
    open: () =>
      forgetSnapshots(async (tx, { workspace, row }) => {
        const { deliveries } = tx.workspace(workspace)
        return !(await deliveries.has([{ field: 'snapshot_id', is: row.id }]))
      }),
  },
  {
    guarantee: 'Deliveries keep the snapshots of their own workspace',
    breakage: 'one that is told of anywhere stays',
    noticedBy: SNAPSHOTS,
    open: () => forgetSnapshots((_, { row }, told) => !told.has(row.id)),
  },
  {
    guarantee: 'The oldest snapshots are forgotten first',
    breakage: 'the newest are',
    noticedBy: OLDEST,
    open: () => forgetSnapshots((_, { workspace, row }, told) => told.get(row.id) !== workspace, true),
  },
  {
    guarantee: 'Deliveries and snapshots are counted together',
    breakage: 'so many of each are forgotten at a time',
    noticedBy: OLDEST,
    open: () =>
      alterForget(
        (outbox) => async (changed, most) =>
          (await outbox.deleteFinished(changed, most)) + (await outbox.deleteFinished(changed, most)),
      ),
  },
  {
    guarantee: 'forget is undone with its transaction',
    breakage: 'it commits by itself',
    noticedBy: 'forget: what was forgotten in a transaction that throws is there as before',
    open: commitsEachCall,
  },
  {
    guarantee: 'What is forgotten is counted once',
    breakage: 'those that run side by side count the same',
    noticedBy: 'forget: of ten that forget at once, each counts what it erased itself',
    open: () => deferredStorage({ forget: 'free' }),
  },
]

type Forget = Outbox['deleteFinished']

function alterForget(
  forget: (outbox: Outbox, tx: Transaction) => Forget,
  storage = memoryStorage(),
): Storage {
  return {
    ...storage,
    transact: (work) =>
      storage.transact((tx) =>
        work({ ...tx, outbox: { ...tx.outbox, deleteFinished: forget(tx.outbox, tx) } }),
      ),
  }
}

interface KnownRow {
  readonly workspace: string
  readonly row: ClaimedDelivery['delivery'] & Row
}

const areOver = (rows: readonly KnownRow[]) => rows.filter(({ row }) => row.due_at === null)
const eraseRow = (tx: Transaction, { workspace, row }: KnownRow): Promise<unknown> =>
  tx.workspace(workspace).deliveries.hardDelete(row.id)

/** A memory store that remembers what many were inserted at once, the oldest first by the field that is asked for. */
function trackRows() {
  const inserted: { readonly name: string; readonly kept: KnownRow }[] = []
  const storage = alterStorage((store, { spec: place, workspace }) => ({
    async insertMany(rows) {
      inserted.push(
        ...rows.map((row) => ({
          name: place.name,
          kept: { workspace, row: row as unknown as KnownRow['row'] },
        })),
      )
      await store.insertMany(rows)
    },
  }))
  const oldest = (name: string, field: 'created_at' | 'updated_at', last: string = FAR_FUTURE): KnownRow[] =>
    inserted
      .flatMap((each) => (each.name === name && each.kept.row[field] <= last ? each.kept : []))
      .sort((a, b) => (a.row[field] < b.row[field] ? -1 : 1))
  const drop = (gone: KnownRow) => {
    inserted.splice(
      inserted.findIndex(({ kept }) => kept === gone),
      1,
    )
  }
  return { storage, oldest, drop }
}

/** Forgets the first deliveries that `choose` makes of all that are old enough, the oldest first. */
function forgetChosen(
  choose: (rows: readonly KnownRow[]) => readonly KnownRow[],
  remove = eraseRow,
  field: 'created_at' | 'updated_at' = 'updated_at',
): Storage {
  const { storage, oldest, drop } = trackRows()
  return alterForget(
    (_, tx) => async (changed, most) => {
      const chosen = choose(oldest('deliveries', field, changed)).slice(0, most)
      for (const each of chosen) {
        await remove(tx, each)
        drop(each)
      }
      return chosen.length
    },
    storage,
  )
}

type MayGo = (
  tx: Transaction,
  snapshot: KnownRow,
  told: ReadonlyMap<string, string>,
) => boolean | Promise<boolean>

/** @param mayGo is given, by the ids of snapshots that are told of, a workspace where they are */
function forgetSnapshots(mayGo: MayGo, newestFirst = false): Storage {
  const { storage, oldest, drop } = trackRows()
  return alterForget(
    (_, tx) => async (changed, most) => {
      const over = areOver(oldest('deliveries', 'updated_at', changed)).slice(0, most)
      for (const each of over) {
        await eraseRow(tx, each)
        drop(each)
      }
      const told = new Map(
        oldest('deliveries', 'updated_at').map(({ workspace, row }) => [row.snapshot_id, workspace]),
      )
      const snapshots = oldest('snapshots', 'created_at', changed)
      let forgotten = over.length
      for (const each of newestFirst ? snapshots.toReversed() : snapshots) {
        if (forgotten >= most || !(await mayGo(tx, each, told))) continue
        await tx.workspace(each.workspace).snapshots.hardDelete(each.row.id)
        drop(each)
        forgotten += 1
      }
      return forgotten
    },
    storage,
  )
}
