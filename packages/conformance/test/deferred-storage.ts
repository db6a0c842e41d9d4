import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage, Transaction } from '@sales-crm/core/ports'
import type { CollectionSpec, Row, RowStore } from '../src/collections.ts'
import { createTransaction } from './altered-storage.ts'
import { deferredOutbox, outboxPerCall } from './deferred-outbox.ts'
import {
  type DeferredUnit,
  type Reserve,
  replayWrites,
  runAndRollBack,
  type Weakness,
} from './deferred-unit.ts'
import { createLockTable, isDeadlock, type LockMode } from './lock-table.ts'

/**
 * The other way to be sound: transactions run side by side under locks, run again after a deadlock, and send their writes with
 * the commit, so that `transact` is what throws a conflict. With a weakness, it is what a careless database store would be.
 */
export function deferredStorage(weakness: Weakness = {}): Storage {
  const inner = memoryStorage()
  const { lock: hold, isFree, release } = createLockTable()
  const running = new Set<Promise<unknown>>()
  let closed = false

  function track<T>(work: () => Promise<T>): Promise<T> {
    if (closed) return Promise.reject(new Error('The storage is closed.'))
    const run = work()
    running.add(run.catch(() => undefined))
    return run
  }

  async function transact<T>(
    work: (tx: Transaction) => Promise<T>,
    how?: Weakness['relaxed'],
    tries = 50,
  ): Promise<T> {
    const owner = {}
    const unit: DeferredUnit = { writes: [], locks: [], isNotified: false, isOver: false }
    const reserve: Reserve = (keys, mode) => {
      const held = mode === 'free' || how === 'free' ? Promise.resolve() : holdAll(owner, keys, mode)
      const settled = held.catch(() => undefined)
      unit.locks.push(weakness.deadlock === 'heard' ? settled : held)
      return held
    }
    const storeAt = (spec: CollectionSpec, workspace: string) =>
      rejectAfterEnd(unit, deferredStore(inner, spec, workspace, unit, reserve, weakness))
    const tx = createTransaction(storeAt, {
      async savepoint(part) {
        const releaseLocks = () => weakness.attempt === 'free' && release(owner)
        return attempt(unit, part).finally(releaseLocks)
      },
      outbox: rejectAfterEnd(
        unit,
        deferredOutbox(inner, unit, reserve, (key) => isFree(owner, key), weakness),
      ),
      notify() {
        unit.isNotified = true
      },
    })
    try {
      const answer = await work(tx).finally(() => {
        unit.isOver = true
        return Promise.all(unit.locks)
      })
      await inner.transact(async (tx) => {
        await replayWrites(tx, unit.writes)
        if (unit.isNotified) tx.notify()
      })
      return answer
    } catch (error) {
      if (!isDeadlock(error) || how === 'deadlock' || tries === 1) throw error
    } finally {
      release(owner)
    }
    return transact(work, how, tries - 1)
  }

  async function holdAll(owner: object, keys: readonly string[], mode: LockMode): Promise<void> {
    for (const key of keys) await hold(owner, key, mode)
  }

  async function attempt<T>(unit: DeferredUnit, part: () => Promise<T>): Promise<T> {
    if (unit.isOver) throw new Error('The transaction is over.')
    const before = weakness.attempt === 'all' ? 0 : unit.writes.length
    try {
      return await flushSavepoint(unit, part)
    } catch (error) {
      unit.writes.splice(before)
      throw error
    }
  }

  /** A write that fails comes before what the part made of it. */
  async function flushSavepoint<T>(unit: DeferredUnit, part: () => Promise<T>): Promise<T> {
    try {
      return await part()
    } finally {
      await Promise.all(unit.locks)
      if (weakness.attempt !== 'unjudged') await runAndRollBack(inner, unit.writes, async () => undefined)
    }
  }

  function readPerCall<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return work(
      createTransaction((spec, workspace) => storePerCall((work) => inner.read(work), spec, workspace), {
        savepoint: (part) => part(),
        outbox: outboxPerCall((work) => inner.read(work)),
        notify: () => undefined,
      }),
    )
  }

  return {
    transact: (work, options) =>
      track(() => transact(work, options?.durability === 'relaxed' ? weakness.relaxed : undefined)),
    read: (work, options) =>
      track(() =>
        weakness.read === 'moments' && options?.isolation !== 'statement'
          ? readPerCall(work)
          : inner.read(work, options),
      ),
    onNotify: (listener) => inner.onNotify(listener),
    check: () => inner.check(),
    async close() {
      closed = true
      await Promise.all(running)
      await inner.close()
    },
  }
}

/** The same store, each of whose calls rejects once the work is over. */
function rejectAfterEnd<S extends object>(unit: DeferredUnit, store: S): S {
  const verbs = Object.entries(store).map(
    ([verb, use]: [string, (...args: unknown[]) => Promise<unknown>]) => {
      const limited = async (...args: unknown[]) => {
        if (unit.isOver) throw new Error('The transaction is over.')
        return use(...args)
      }
      return [verb, limited]
    },
  )
  return Object.fromEntries(verbs) as S
}

function deferredStore(
  inner: Storage,
  spec: CollectionSpec,
  workspace: string,
  { writes }: DeferredUnit,
  reserve: Reserve,
  weakness: Weakness,
): RowStore {
  const storeIn = (tx: Transaction) => spec.storeIn(tx, workspace)
  const visibleWrites = weakness.sight === 'none' ? [] : writes
  function read<T>(look: (store: RowStore) => Promise<T>): Promise<T> {
    return runAndRollBack(inner, visibleWrites.slice(), (tx) => look(storeIn(tx)))
  }
  function defer(keys: readonly string[], write: (store: RowStore) => Promise<unknown>): Promise<void> {
    writes.push((tx) => write(storeIn(tx)))
    return reserve(keys, 'alone')
  }
  /** What a row takes for itself: its id, and each value no other has. */
  function keysOf(row: Row): string[] {
    const fields = weakness.values === 'free' ? [] : [...spec.unique, ...spec.uniqueForever]
    const values = fields
      .filter((field) => row[field] !== null)
      .map((field) => `${spec.name} ${workspace} ${field} ${row[field]}`)
    return [row.id, ...values]
  }
  return {
    get: (id, options) => read((store) => store.get(id, options)),
    async getForUpdate(id, options) {
      const lockMode = options?.lock === 'optimistic' ? weakness.optimisticLock : weakness.getForUpdate
      await reserve([id], lockMode ?? 'alone')
      return read((store) => store.get(id))
    },
    async getForShare(id) {
      await reserve([id], weakness.getForShare ?? 'shared')
      return read((store) => store.get(id))
    },
    getMany: (ids) => read((store) => store.getMany(ids)),
    find: (where) => read((store) => store.find(where)),
    has: (where) => read((store) => store.has(where)),
    countByTerm: (field, words) => read((store) => store.countByTerm(field, words)),
    aggregate: (query) => read((store) => store.aggregate(query)),
    medianDuration: (query) => read((store) => store.medianDuration(query)),
    list: (query) => read((store) => store.list(query)),
    insert: (row) => defer(keysOf(row), (store) => store.insert(row)),
    insertMany: (rows) => defer(rows.flatMap(keysOf), (store) => store.insertMany(rows)),
    update: (row) => defer(keysOf(row), (store) => store.update(row)),
    async softDelete(id, at) {
      const before = writes.slice()
      writes.push((tx) => storeIn(tx).softDelete(id, at))
      await reserve([id], weakness.softDelete ?? 'alone')
      return runAndRollBack(inner, before, async (tx) => (await storeIn(tx).get(id)) !== undefined)
    },
    hardDelete: (id) => defer([id], (store) => store.hardDelete(id)),
  }
}

/** Each call is a transaction of its own, and a list counts after it has read its rows. */
export function storePerCall(
  transact: Storage['transact'],
  spec: CollectionSpec,
  workspace: string,
): RowStore {
  const read = <T>(look: (store: RowStore) => Promise<T>) =>
    transact((tx) => look(spec.storeIn(tx, workspace)))
  return {
    get: (id, options) => read((store) => store.get(id, options)),
    getForUpdate: (id, options) => read((store) => store.getForUpdate(id, options)),
    getForShare: (id) => read((store) => store.getForShare(id)),
    getMany: (ids) => read((store) => store.getMany(ids)),
    find: (where) => read((store) => store.find(where)),
    has: (where) => read((store) => store.has(where)),
    countByTerm: (field, words) => read((store) => store.countByTerm(field, words)),
    aggregate: (query) => read((store) => store.aggregate(query)),
    medianDuration: (query) => read((store) => store.medianDuration(query)),
    async list(query) {
      const { rows } = await read((store) => store.list(query))
      const { total } = await read((store) => store.list(query))
      return { rows, total }
    },
    insert: (row) => read((store) => store.insert(row)),
    insertMany: (rows) => read((store) => store.insertMany(rows)),
    update: (row) => read((store) => store.update(row)),
    softDelete: (id, at) => read((store) => store.softDelete(id, at)),
    hardDelete: (id) => read((store) => store.hardDelete(id)),
  }
}
