import { memoryStorage } from '@sales-crm/core/memory'
import type { Claimed, Outbox, Storage, Transaction } from '@sales-crm/core/ports'
import { LAST } from '../src/outbox-samples.ts'
import type { Row } from '../src/places.ts'
import { altered } from './altered.ts'
import type { Breakage } from './breakage.ts'
import { lateStorage } from './late-storage.ts'
import { commitsEachCall } from './transaction-breakages.ts'

const ERASED = 'forget: what is over and was made by then is erased and counted; what was made later, or waits, stays'
const OLDEST = 'forget: the oldest go first, so many at a time, whatever their workspace'

export const FORGET_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'What waits is not forgotten',
    breakage: 'forget goes by age alone',
    noticedBy: ERASED,
    open: () => forgettingSome((rows) => rows),
  },
  {
    guarantee: 'What was made later is not forgotten',
    breakage: 'forget does not look at the age',
    noticedBy: ERASED,
    open: () => forgetting((outbox) => (_, most) => outbox.forget(LAST, most)),
  },
  {
    guarantee: 'forget counts what it erased',
    breakage: 'it gives how many it was asked for',
    noticedBy: ERASED,
    open: () => forgetting((outbox) => async (made, most) => outbox.forget(made, most).then(() => most)),
  },
  {
    guarantee: 'What is forgotten has never been',
    breakage: 'it is deleted as softDelete does',
    noticedBy: ERASED,
    open: () => forgettingSome(areOver, (tx, { workspace, row }) => tx.workspace(workspace).deliveries.softDelete(row.id, LAST)),
  },
  {
    guarantee: 'The oldest are forgotten first',
    breakage: 'the newest are',
    noticedBy: OLDEST,
    open: () => forgettingSome((rows) => areOver(rows).toReversed()),
  },
  {
    guarantee: 'forget erases no more than it is asked to',
    breakage: 'it erases all at once',
    noticedBy: OLDEST,
    open: () => forgetting((outbox) => (made) => outbox.forget(made, Infinity)),
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
    open: () => lateStorage({ forget: 'free' }),
  },
]

type Forget = Outbox['forget']

function forgetting(forget: (outbox: Outbox, tx: Transaction) => Forget, storage = memoryStorage()): Storage {
  return {
    ...storage,
    transact: (work) => storage.transact((tx) => work({ ...tx, outbox: { ...tx.outbox, forget: forget(tx.outbox, tx) } })),
  }
}

interface Kept {
  readonly workspace: string
  readonly row: Claimed['delivery']
}

const areOver = (rows: readonly Kept[]) => rows.filter(({ row }) => row.due_at === null)
const erased = (tx: Transaction, { workspace, row }: Kept): Promise<unknown> => tx.workspace(workspace).deliveries.erase(row.id)

/** Forgets the first that `choose` makes of all that are old enough, the oldest first. */
function forgettingSome(choose: (rows: readonly Kept[]) => readonly Kept[], remove = erased): Storage {
  const inserted: Kept[] = []
  const keep = (workspace: string, rows: readonly Row[]) =>
    inserted.push(...rows.map((row) => ({ workspace, row: row as unknown as Kept['row'] })))
  const storage = altered((store, { place, workspace }) => ({
    async insertMany(rows) {
      if (place.name === 'deliveries') keep(workspace, rows)
      await store.insertMany(rows)
    },
  }))
  const oldest = (made: string) =>
    inserted.filter(({ row }) => row.created_at <= made).sort((a, b) => (a.row.created_at < b.row.created_at ? -1 : 1))
  return forgetting(
    (_, tx) => async (made, most) => {
      const chosen = choose(oldest(made)).slice(0, most)
      for (const each of chosen) {
        await remove(tx, each)
        inserted.splice(inserted.indexOf(each), 1)
      }
      return chosen.length
    },
    storage,
  )
}
