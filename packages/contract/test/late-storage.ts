import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage, Transaction } from '@sales-crm/core/ports'
import type { Place, RowStore } from '../src/places.ts'
import { transactionOf } from './altered.ts'
import { locks, type Mode, wasDeadlock } from './locks.ts'

interface Weakness {
  readonly getForUpdate?: 'free'
  readonly getForShare?: 'free' | 'alone'
  readonly softDelete?: 'free'
  /** `read` sees a moment for each of its calls. */
  readonly read?: 'moments'
  /** A transaction does not see its own writes. */
  readonly sight?: 'none'
}

type Write = (tx: Transaction) => Promise<unknown>

/**
 * The other way to be sound: transactions run side by side under locks, run again after a deadlock, and send their writes with
 * the commit, so that `transact` is what throws a conflict. With a weakness, it is what a careless database store would be.
 */
export function lateStorage(weakness: Weakness = {}): Storage {
  const inner = memoryStorage()
  const { hold, release } = locks()
  const begun = new Set<Promise<unknown>>()
  let closed = false

  function track<T>(work: () => Promise<T>): Promise<T> {
    if (closed) return Promise.reject(new Error('The storage is closed.'))
    const run = work()
    begun.add(run.catch(() => undefined))
    return run
  }

  async function transact<T>(work: (tx: Transaction) => Promise<T>, tries = 50): Promise<T> {
    const owner = {}
    const writes: Write[] = []
    const span = { over: false }
    const reserve = (id: string, mode: Mode | 'free') => (mode === 'free' ? Promise.resolve() : hold(owner, id, mode))
    const storeAt = (place: Place, workspace: string) => lasting(span, lateStore(inner, place, workspace, writes, reserve, weakness))
    try {
      const answer = await work(transactionOf(storeAt)).finally(() => {
        span.over = true
      })
      await inner.transact((tx) => replay(tx, writes))
      return answer
    } catch (error) {
      if (!wasDeadlock(error) || tries === 1) throw error
    } finally {
      release(owner)
    }
    return transact(work, tries - 1)
  }

  function readInMoments<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return work(transactionOf((place, workspace) => callByCall(inner.read, place, workspace)))
  }

  return {
    transact: (work) => track(() => transact(work)),
    read: (work) => track(() => (weakness.read === 'moments' ? readInMoments(work) : inner.read(work))),
    check: () => inner.check(),
    async close() {
      closed = true
      await Promise.all(begun)
      await inner.close()
    },
  }
}

/** The same store, each of whose calls rejects once the span is over. */
function lasting(span: { readonly over: boolean }, store: RowStore): RowStore {
  const verbs = Object.entries(store).map(([verb, use]: [string, (...given: unknown[]) => Promise<unknown>]) => {
    const limited = async (...given: unknown[]) => {
      if (span.over) throw new Error('The transaction is over.')
      return use(...given)
    }
    return [verb, limited]
  })
  return Object.fromEntries(verbs)
}

function lateStore(
  inner: Storage,
  place: Place,
  workspace: string,
  writes: Write[],
  reserve: (id: string, mode: Mode | 'free') => Promise<void>,
  weakness: Weakness,
): RowStore {
  const storeIn = (tx: Transaction) => place.storeIn(tx, workspace)
  const seen = weakness.sight === 'none' ? [] : writes
  function see<T>(look: (store: RowStore) => Promise<T>): Promise<T> {
    return peek(inner, seen.slice(), (tx) => look(storeIn(tx)))
  }
  async function later(id: string, write: (store: RowStore) => Promise<unknown>): Promise<void> {
    writes.push((tx) => write(storeIn(tx)))
    await reserve(id, 'alone')
  }
  return {
    get: (id) => see((store) => store.get(id)),
    async getForUpdate(id) {
      await reserve(id, weakness.getForUpdate ?? 'alone')
      return see((store) => store.get(id))
    },
    async getForShare(id) {
      await reserve(id, weakness.getForShare ?? 'shared')
      return see((store) => store.get(id))
    },
    getMany: (ids) => see((store) => store.getMany(ids)),
    find: (where) => see((store) => store.find(where)),
    has: (where) => see((store) => store.has(where)),
    list: (query) => see((store) => store.list(query)),
    insert: (row) => later(row.id, (store) => store.insert(row)),
    async insertMany(rows) {
      writes.push((tx) => storeIn(tx).insertMany(rows))
    },
    update: (row) => later(row.id, (store) => store.update(row)),
    async softDelete(id, at) {
      const before = writes.slice()
      writes.push((tx) => storeIn(tx).softDelete(id, at))
      await reserve(id, weakness.softDelete ?? 'alone')
      return peek(inner, before, async (tx) => (await storeIn(tx).get(id)) !== undefined)
    },
  }
}

/** Each call is a transaction of its own, and a list counts after it has read its rows. */
export function callByCall(transact: Storage['transact'], place: Place, workspace: string): RowStore {
  const see = <T>(look: (store: RowStore) => Promise<T>) => transact((tx) => look(place.storeIn(tx, workspace)))
  return {
    get: (id) => see((store) => store.get(id)),
    getForUpdate: (id) => see((store) => store.getForUpdate(id)),
    getForShare: (id) => see((store) => store.getForShare(id)),
    getMany: (ids) => see((store) => store.getMany(ids)),
    find: (where) => see((store) => store.find(where)),
    has: (where) => see((store) => store.has(where)),
    async list(query) {
      const { rows } = await see((store) => store.list(query))
      const { total } = await see((store) => store.list(query))
      return { rows, total }
    },
    insert: (row) => see((store) => store.insert(row)),
    insertMany: (rows) => see((store) => store.insertMany(rows)),
    update: (row) => see((store) => store.update(row)),
    softDelete: (id, at) => see((store) => store.softDelete(id, at)),
  }
}

/** What `look` finds after the writes, which are then taken back. */
async function peek<T>(inner: Storage, writes: readonly Write[], look: (tx: Transaction) => Promise<T>): Promise<T> {
  const seen: T[] = []
  const takenBack = new Error('taken back')
  const run = inner.transact(async (tx) => {
    await replay(tx, writes)
    seen.push(await look(tx))
    throw takenBack
  })
  await run.catch((error) => {
    if (error !== takenBack) throw error
  })
  return seen[0] as T
}

async function replay(tx: Transaction, writes: readonly Write[]): Promise<void> {
  for (const write of writes) await write(tx)
}
