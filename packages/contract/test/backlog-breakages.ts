import { memoryStorage } from '@sales-crm/core/memory'
import type { Backlog, Claimed, Outbox, Storage, Transaction } from '@sales-crm/core/ports'
import { LAST, longAgo } from '../src/outbox-samples.ts'
import { altered } from './altered.ts'
import type { Breakage } from './breakage.ts'
import { lateStorage } from './late-storage.ts'
import { commitsEachCall } from './transaction-breakages.ts'

const COUNTED =
  'backlog: what waits is counted, in whatever lane and workspace, due or not, under way or not; what is over or deleted is not'
const DUE =
  'backlog: `due` is the earliest at which one of them is due, whatever its workspace and its age, under way or not; one that is deleted is not due'
const READ = 'backlog: within a read it is of the moment of the read; once its work is over, a transaction gives none'

type Row = Claimed['delivery'] & { readonly due_at: string }

export const BACKLOG_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'What is due later waits too',
    breakage: 'only what is due by now is counted',
    noticedBy: COUNTED,
    open: () => counting((rows) => rows.filter(({ row }) => row.due_at <= longAgo(0))),
  },
  {
    guarantee: 'What is under way waits too',
    breakage: 'it is not counted',
    noticedBy: COUNTED,
    open: () => counting((rows) => rows.filter(({ row }) => !row.sending)),
  },
  {
    guarantee: 'Deliveries are counted',
    breakage: 'their webhooks are',
    noticedBy: COUNTED,
    open: () => counting((rows) => [...new Map(rows.map((each) => [each.row.webhook_id, each])).values()]),
  },
  {
    guarantee: 'The backlog is that of all workspaces',
    breakage: 'it is that of the one whose delivery is due longest',
    noticedBy: COUNTED,
    open: () => counting((rows) => rows.filter(({ workspace }) => workspace === byDue(rows)[0]!.workspace)),
  },
  {
    guarantee: 'What is over does not wait',
    breakage: 'it is counted for as long as it is kept',
    noticedBy: COUNTED,
    open: () => ruling((rows) => ({ pending: rows.length, due: dueOf(rows) })),
  },
  {
    guarantee: 'What is deleted does not wait',
    breakage: 'it is counted',
    noticedBy: COUNTED,
    open: () => withDeleted(({ pending, due }, deleted) => ({ pending: pending + deleted.length, due })),
  },
  {
    guarantee: 'What is due first is due',
    breakage: 'what is due last is',
    noticedBy: DUE,
    open: () => dating((rows) => rows.at(-1)),
  },
  {
    guarantee: 'What is due first need not have been made first',
    breakage: 'what was made first is due',
    noticedBy: DUE,
    open: () => dating((rows) => rows.toSorted((a, b) => byText(a.created_at, b.created_at))[0]),
  },
  {
    guarantee: 'What is under way is due when its lease ends',
    breakage: 'it is never due',
    noticedBy: DUE,
    open: () => dating((rows) => rows.find(({ sending }) => !sending)),
  },
  {
    guarantee: 'What is deleted is not due',
    breakage: 'it is',
    noticedBy: DUE,
    open: () =>
      withDeleted(({ pending, due }, deleted) => ({ pending, due: [...deleted.map((row) => row.due_at), due ?? LAST].sort(byText)[0] })),
  },
  {
    guarantee: 'Nothing is due where nothing waits',
    breakage: 'it is due one day',
    noticedBy: 'backlog: where nothing waits there is nothing, and `due` is undefined',
    open: () => giving(async (outbox) => ({ due: LAST, ...defined(await outbox.backlog()) })),
  },
  {
    guarantee: 'The backlog is what its transaction made of it',
    breakage: 'it is of what is committed',
    noticedBy: 'backlog: it sees what its transaction wrote before, waited for or not',
    open: () => lateStorage({ sight: 'none' }),
  },
  {
    guarantee: 'A read has a backlog',
    breakage: 'it refuses to give one',
    noticedBy: READ,
    open: () => {
      const sound = memoryStorage()
      const backlog = () => Promise.reject(new Error('A read neither writes nor holds.'))
      return { ...sound, read: (work) => sound.read((tx) => work({ ...tx, outbox: { ...tx.outbox, backlog } })) }
    },
  },
  {
    guarantee: 'The backlog is of the moment of the read',
    breakage: 'it is of its own moment',
    noticedBy: READ,
    open: () => lateStorage({ read: 'moments' }),
  },
  {
    guarantee: 'A transaction has a backlog while its work lasts',
    breakage: 'every call is a transaction of its own',
    noticedBy: READ,
    open: commitsEachCall,
  },
]

function giving(backlog: (outbox: Outbox, tx: Transaction) => Promise<Backlog>, storage = memoryStorage()): Storage {
  const on = (tx: Transaction): Transaction => ({ ...tx, outbox: { ...tx.outbox, backlog: () => backlog(tx.outbox, tx) } })
  return {
    ...storage,
    transact: (work) => storage.transact((tx) => work(on(tx))),
    read: (work) => storage.read((tx) => work(on(tx))),
  }
}

interface Kept<R = Claimed['delivery']> {
  readonly workspace: string
  readonly row: R
}

/** By a rule of its own for all that is kept and not deleted, over or not. */
function ruling(rule: (rows: readonly Kept[]) => Backlog): Storage {
  const known = new Set<string>()
  const storage = altered((_, { workspace }) => {
    if (workspace !== '') known.add(workspace)
    return {}
  })
  return giving(async (outbox, tx) => {
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
function counting(choose: (rows: readonly Kept<Row>[]) => readonly Kept[]): Storage {
  return ruling((rows) => ({ pending: choose(waitingIn(rows)).length, due: dueOf(rows) }))
}

/** `choose` says of all that waits, what is due first first, when the first is due. */
function dating(choose: (rows: readonly Row[]) => Row | undefined): Storage {
  return ruling((rows) => {
    const waiting = byDue(waitingIn(rows)).map(({ row }) => row)
    return { pending: waiting.length, due: choose(waiting)?.due_at }
  })
}

function withDeleted(change: (backlog: Backlog, deleted: readonly Row[]) => Backlog): Storage {
  const deleted: Row[] = []
  const storage = altered((store, { place }) => ({
    async softDelete(id, at) {
      const row = await store.get(id)
      if (place.name === 'deliveries' && row) deleted.push(row as unknown as Row)
      return store.softDelete(id, at)
    },
  }))
  return giving(async (outbox) => change(await outbox.backlog(), deleted), storage)
}

function defined({ pending, due }: Backlog) {
  return { pending, ...(due !== undefined && { due }) }
}

function dueOf(rows: readonly Kept[]): string | undefined {
  return byDue(waitingIn(rows))[0]?.row.due_at
}

function waitingIn(rows: readonly Kept[]): Kept<Row>[] {
  return rows.filter((each): each is Kept<Row> => each.row.due_at !== null)
}

function byDue(rows: readonly Kept<Row>[]): Kept<Row>[] {
  return rows.toSorted((a, b) => byText(a.row.due_at, b.row.due_at))
}

function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
