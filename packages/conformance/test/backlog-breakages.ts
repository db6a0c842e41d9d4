import { memoryStorage } from '@sales-crm/core/memory'
import type { Backlog, ClaimedDelivery, Outbox, Storage, Transaction } from '@sales-crm/core/ports'
import { FAR_FUTURE, pastInstant } from '../src/sample-deliveries.ts'
import { alterStorage } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'
import { deferredStorage } from './deferred-storage.ts'
import { commitsEachCall } from './transaction-breakages.ts'

const COUNTED =
  'backlog: what waits is counted, in whatever lane and workspace, due or not, under way or not; what is over or deleted is not'
const DUE =
  'backlog: `due` is the earliest at which one of them is due, whatever its workspace and its age, under way or not; one that is deleted is not due'
const READ =
  'backlog: within a read it is of the moment of the read; once its work is over, a transaction gives none'

type Row = ClaimedDelivery['delivery'] & { readonly due_at: string }

export const BACKLOG_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'What is due later waits too',
    breakage: 'only what is due by now is counted',
    noticedBy: COUNTED,
    open: () => countBacklog((rows) => rows.filter(({ row }) => row.due_at <= pastInstant(0))),
  },
  {
    guarantee: 'What is under way waits too',
    breakage: 'it is not counted',
    noticedBy: COUNTED,
    open: () => countBacklog((rows) => rows.filter(({ row }) => !row.sending)),
  },
  {
    guarantee: 'Deliveries are counted',
    breakage: 'their webhooks are',
    noticedBy: COUNTED,
    open: () =>
      countBacklog((rows) => [...new Map(rows.map((each) => [each.row.webhook_id, each])).values()]),
  },
  {
    guarantee: 'The backlog is that of all workspaces',
    breakage: 'it is that of the one whose delivery is due longest',
    noticedBy: COUNTED,
    open: () =>
      countBacklog((rows) => rows.filter(({ workspace }) => workspace === byDue(rows)[0]!.workspace)),
  },
  {
    guarantee: 'What is over does not wait',
    breakage: 'it is counted for as long as it is kept',
    noticedBy: COUNTED,
    open: () => ruleBacklog((rows) => ({ pending: rows.length, earliestDueAt: dueOf(rows) })),
  },
  {
    guarantee: 'What is deleted does not wait',
    breakage: 'it is counted',
    noticedBy: COUNTED,
    open: () =>
      withDeleted(({ pending, earliestDueAt }, deleted) => ({
        pending: pending + deleted.length,
        earliestDueAt,
      })),
  },
  {
    guarantee: 'What is due first is due',
    breakage: 'what is due last is',
    noticedBy: DUE,
    open: () => dateBacklog((rows) => rows.at(-1)),
  },
  {
    guarantee: 'What is due first need not have been made first',
    breakage: 'what was made first is due',
    noticedBy: DUE,
    open: () => dateBacklog((rows) => rows.toSorted((a, b) => byText(a.created_at, b.created_at))[0]),
  },
  {
    guarantee: 'What is under way is due when its lease ends',
    breakage: 'it is never due',
    noticedBy: DUE,
    open: () => dateBacklog((rows) => rows.find(({ sending }) => !sending)),
  },
  {
    guarantee: 'What is deleted is not due',
    breakage: 'it is',
    noticedBy: DUE,
    open: () =>
      withDeleted(({ pending, earliestDueAt }, deleted) => ({
        pending,
        earliestDueAt: [...deleted.map((row) => row.due_at), earliestDueAt ?? FAR_FUTURE].sort(byText)[0],
      })),
  },
  {
    guarantee: 'Nothing is due where nothing waits',
    breakage: 'it is due one day',
    noticedBy: 'backlog: where nothing waits there is nothing, and `due` is undefined',
    open: () =>
      alterBacklog(async (outbox) => ({
        earliestDueAt: FAR_FUTURE,
        ...omitUndefined(await outbox.backlog()),
      })),
  },
  {
    guarantee: 'The backlog is what its transaction made of it',
    breakage: 'it is of what is committed',
    noticedBy: 'backlog: it sees what its transaction wrote before, waited for or not',
    open: () => deferredStorage({ sight: 'none' }),
  },
  {
    guarantee: 'A read has a backlog',
    breakage: 'it refuses to give one',
    noticedBy: READ,
    open: () => {
      const sound = memoryStorage()
      const backlog = () => Promise.reject(new Error('A read neither writes nor holds.'))
      return {
        ...sound,
        read: (work) => sound.read((tx) => work({ ...tx, outbox: { ...tx.outbox, backlog } })),
      }
    },
  },
  {
    guarantee: 'The backlog is of the moment of the read',
    breakage: 'it is of its own moment',
    noticedBy: READ,
    open: () => deferredStorage({ read: 'moments' }),
  },
  {
    guarantee: 'A transaction has a backlog while its work lasts',
    breakage: 'every call is a transaction of its own',
    noticedBy: READ,
    open: commitsEachCall,
  },
]

function alterBacklog(
  backlog: (outbox: Outbox, tx: Transaction) => Promise<Backlog>,
  storage = memoryStorage(),
): Storage {
  const on = (tx: Transaction): Transaction => ({
    ...tx,
    outbox: { ...tx.outbox, backlog: () => backlog(tx.outbox, tx) },
  })
  return {
    ...storage,
    transact: (work) => storage.transact((tx) => work(on(tx))),
    read: (work) => storage.read((tx) => work(on(tx))),
  }
}

interface KnownRow<R = ClaimedDelivery['delivery']> {
  readonly workspace: string
  readonly row: R
}

/** By a rule of its own for all that is kept and not deleted, over or not. */
function ruleBacklog(rule: (rows: readonly KnownRow[]) => Backlog): Storage {
  const known = new Set<string>()
  const storage = alterStorage((_, { workspace }) => {
    if (workspace !== '') known.add(workspace)
    return {}
  })
  return alterBacklog(async (outbox, tx) => {
    // Of no use once the work is over, as it should be.
    await outbox.backlog()
    const found = [...known].map(async (workspace) => {
      const rows = await tx.workspace(workspace).deliveries.find([])
      return rows.map((row) => ({ workspace, row }))
    })
    return rule((await Promise.all(found)).flat())
  }, storage)
}

/** Counts what `choose` leaves of all that waits. */
function countBacklog(choose: (rows: readonly KnownRow<Row>[]) => readonly KnownRow[]): Storage {
  return ruleBacklog((rows) => ({ pending: choose(waitingIn(rows)).length, earliestDueAt: dueOf(rows) }))
}

/** `choose` says of all that waits, what is due first first, when the first is due. */
function dateBacklog(choose: (rows: readonly Row[]) => Row | undefined): Storage {
  return ruleBacklog((rows) => {
    const waiting = byDue(waitingIn(rows)).map(({ row }) => row)
    return { pending: waiting.length, earliestDueAt: choose(waiting)?.due_at }
  })
}

function withDeleted(change: (backlog: Backlog, deleted: readonly Row[]) => Backlog): Storage {
  const deleted: Row[] = []
  const storage = alterStorage((store, { spec: place }) => ({
    async softDelete(id, at) {
      const row = await store.get(id)
      if (place.name === 'deliveries' && row) deleted.push(row as unknown as Row)
      return store.softDelete(id, at)
    },
  }))
  return alterBacklog(async (outbox) => change(await outbox.backlog(), deleted), storage)
}

function omitUndefined({ pending, earliestDueAt }: Backlog) {
  return { pending, ...(earliestDueAt !== undefined && { due: earliestDueAt }) }
}

function dueOf(rows: readonly KnownRow[]): string | undefined {
  return byDue(waitingIn(rows))[0]?.row.due_at
}

function waitingIn(rows: readonly KnownRow[]): KnownRow<Row>[] {
  return rows.filter((each): each is KnownRow<Row> => each.row.due_at !== null)
}

function byDue(rows: readonly KnownRow<Row>[]): KnownRow<Row>[] {
  return rows.toSorted((a, b) => byText(a.row.due_at, b.row.due_at))
}

function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
