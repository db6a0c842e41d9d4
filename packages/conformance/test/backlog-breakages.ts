import { memoryStorage } from '@sales-crm/core/memory'
import type { Backlog, ClaimedDelivery, Outbox, Storage, Transaction } from '@sales-crm/core/ports'
import { FAR_FUTURE, pastInstant } from '../src/sample-deliveries.ts'
import { alterStorage } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'
import { commitEachCall } from './broken-transactions.ts'
import { deferredStorage } from './deferred-storage.ts'

const COUNTED = 'backlog: counts pending and in-flight deliveries of all queues and workspaces, due or not'
const EARLIEST_DUE =
  'backlog: returns the earliest due instant of any workspace and age, ignoring deleted deliveries'
const SNAPSHOT = 'backlog: comes from the snapshot of the read, and rejects after the work has ended'

type Row = ClaimedDelivery['delivery'] & { readonly due_at: string }

export const BACKLOG_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'Deliveries due later are counted',
    breakage: 'only deliveries due by now are counted',
    noticedBy: COUNTED,
    open: () => countBacklog((rows) => rows.filter(({ row }) => row.due_at <= pastInstant(0))),
  },
  {
    guarantee: 'Deliveries in flight are counted',
    breakage: 'deliveries in flight are not counted',
    noticedBy: COUNTED,
    open: () => countBacklog((rows) => rows.filter(({ row }) => !row.sending)),
  },
  {
    guarantee: 'The backlog counts deliveries',
    breakage: 'the backlog counts webhooks',
    noticedBy: COUNTED,
    open: () =>
      countBacklog((rows) => [...new Map(rows.map((each) => [each.row.webhook_id, each])).values()]),
  },
  {
    guarantee: 'The backlog covers all workspaces',
    breakage: 'the backlog covers only the workspace that has been due longest',
    noticedBy: COUNTED,
    open: () =>
      countBacklog((rows) => rows.filter(({ workspace }) => workspace === sortByDue(rows)[0]!.workspace)),
  },
  {
    guarantee: 'Finished deliveries are not counted',
    breakage: 'finished deliveries are counted',
    noticedBy: COUNTED,
    open: () => computeBacklog((rows) => ({ pending: rows.length, earliestDueAt: findEarliestDue(rows) })),
  },
  {
    guarantee: 'Deleted deliveries are not counted',
    breakage: 'deleted deliveries are counted',
    noticedBy: COUNTED,
    open: () =>
      includeDeleted(({ pending, earliestDueAt }, deleted) => ({
        pending: pending + deleted.length,
        earliestDueAt,
      })),
  },
  {
    guarantee: '`earliestDueAt` is the earliest due date',
    breakage: '`earliestDueAt` is the latest due date',
    noticedBy: EARLIEST_DUE,
    open: () => chooseEarliestDue((rows) => rows.at(-1)),
  },
  {
    guarantee: '`earliestDueAt` does not depend on age',
    breakage: '`earliestDueAt` is that of the oldest delivery',
    noticedBy: EARLIEST_DUE,
    open: () =>
      chooseEarliestDue((rows) => rows.toSorted((a, b) => compareText(a.created_at, b.created_at))[0]),
  },
  {
    guarantee: 'A delivery in flight is due when its lease ends',
    breakage: 'a delivery in flight is never due',
    noticedBy: EARLIEST_DUE,
    open: () => chooseEarliestDue((rows) => rows.find(({ sending }) => !sending)),
  },
  {
    guarantee: 'A deleted delivery is not due',
    breakage: 'a deleted delivery is due',
    noticedBy: EARLIEST_DUE,
    open: () =>
      includeDeleted(({ pending, earliestDueAt }, deleted) => ({
        pending,
        earliestDueAt: [...deleted.map((row) => row.due_at), earliestDueAt ?? FAR_FUTURE].sort(
          compareText,
        )[0],
      })),
  },
  {
    guarantee: 'Without pending deliveries nothing is due',
    breakage: '`earliestDueAt` is set without pending deliveries',
    noticedBy: 'backlog: is zero, with `earliestDueAt` undefined, if nothing is pending',
    open: () =>
      alterBacklog(async (outbox) => ({
        earliestDueAt: FAR_FUTURE,
        ...omitUndefined(await outbox.backlog()),
      })),
  },
  {
    guarantee: 'The backlog sees writes of its transaction',
    breakage: 'the backlog covers only committed deliveries',
    noticedBy: 'backlog: sees earlier writes of its transaction, awaited or not',
    open: () => deferredStorage({ ownWrites: 'invisible' }),
  },
  {
    guarantee: 'A read has a backlog',
    breakage: 'a read rejects backlog',
    noticedBy: SNAPSHOT,
    open: () => {
      const storage = memoryStorage()
      const backlog = () => Promise.reject(new Error('A read neither writes nor locks.'))
      return {
        ...storage,
        read: (work) => storage.read((tx) => work({ ...tx, outbox: { ...tx.outbox, backlog } })),
      }
    },
  },
  {
    guarantee: 'The backlog comes from the snapshot of the read',
    breakage: 'the backlog has a snapshot of its own',
    noticedBy: SNAPSHOT,
    open: () => deferredStorage({ read: 'perCall' }),
  },
  {
    guarantee: 'backlog rejects after the work has ended',
    breakage: 'every call is a transaction of its own',
    noticedBy: SNAPSHOT,
    open: commitEachCall,
  },
]

function alterBacklog(
  backlog: (outbox: Outbox, tx: Transaction) => Promise<Backlog>,
  storage = memoryStorage(),
): Storage {
  const alterTransaction = (tx: Transaction): Transaction => ({
    ...tx,
    outbox: { ...tx.outbox, backlog: () => backlog(tx.outbox, tx) },
  })
  return {
    ...storage,
    transact: (work) => storage.transact((tx) => work(alterTransaction(tx))),
    read: (work) => storage.read((tx) => work(alterTransaction(tx))),
  }
}

interface StoredRow<R = ClaimedDelivery['delivery']> {
  readonly workspace: string
  readonly row: R
}

/** A store that computes the backlog from all undeleted deliveries, finished or not. */
function computeBacklog(rule: (rows: readonly StoredRow[]) => Backlog): Storage {
  const workspaces = new Set<string>()
  const storage = alterStorage((_, { workspace }) => {
    if (workspace !== '') workspaces.add(workspace)
    return {}
  })
  return alterBacklog(async (outbox, tx) => {
    // Rejects after the work has ended, as the port requires.
    await outbox.backlog()
    const loaded = [...workspaces].map(async (workspace) => {
      const rows = await tx.workspace(workspace).deliveries.find([])
      return rows.map((row) => ({ workspace, row }))
    })
    return rule((await Promise.all(loaded)).flat())
  }, storage)
}

/** A store that counts the pending deliveries `choose` selects. */
function countBacklog(choose: (rows: readonly StoredRow<Row>[]) => readonly StoredRow[]): Storage {
  return computeBacklog((rows) => ({
    pending: choose(filterPending(rows)).length,
    earliestDueAt: findEarliestDue(rows),
  }))
}

/** A store that takes `earliestDueAt` from one of the pending deliveries, given earliest due first. */
function chooseEarliestDue(choose: (rows: readonly Row[]) => Row | undefined): Storage {
  return computeBacklog((rows) => {
    const pending = sortByDue(filterPending(rows)).map(({ row }) => row)
    return { pending: pending.length, earliestDueAt: choose(pending)?.due_at }
  })
}

function includeDeleted(change: (backlog: Backlog, deleted: readonly Row[]) => Backlog): Storage {
  const deleted: Row[] = []
  const storage = alterStorage((store, { spec }) => ({
    async softDelete(id, at) {
      const row = await store.get(id)
      if (spec.name === 'deliveries' && row) deleted.push(row as unknown as Row)
      return store.softDelete(id, at)
    },
  }))
  return alterBacklog(async (outbox) => change(await outbox.backlog(), deleted), storage)
}

function omitUndefined({ pending, earliestDueAt }: Backlog) {
  return { pending, ...(earliestDueAt !== undefined && { earliestDueAt }) }
}

function findEarliestDue(rows: readonly StoredRow[]): string | undefined {
  return sortByDue(filterPending(rows))[0]?.row.due_at
}

function filterPending(rows: readonly StoredRow[]): StoredRow<Row>[] {
  return rows.filter((each): each is StoredRow<Row> => each.row.due_at !== null)
}

function sortByDue(rows: readonly StoredRow<Row>[]): StoredRow<Row>[] {
  return rows.toSorted((a, b) => compareText(a.row.due_at, b.row.due_at))
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
