import { TransactionContext } from '@sales-crm/core/base-storage'
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
 * A correct store unlike the memory store: transactions run concurrently under locks, are retried after a
 * deadlock and send their writes with the commit, so that `transact` throws the conflicts. A weakness makes
 * it break the port.
 */
export function deferredStorage(weakness: Weakness = {}): Storage {
  const inner = memoryStorage()
  const context = new TransactionContext()
  const { lock, isFree, release } = createLockTable()
  const running = new Set<Promise<unknown>>()
  let isClosed = false

  async function track<T>(work: () => Promise<T>): Promise<T> {
    context.assertNotNested()
    if (isClosed) throw new Error('The storage is closed.')
    const run = work()
    running.add(run.catch(() => undefined))
    return run
  }

  async function transact<T>(
    work: (tx: Transaction) => Promise<T>,
    relaxed?: Weakness['relaxed'],
    attempts = 50,
  ): Promise<T> {
    const owner = {}
    const unit: DeferredUnit = { writes: [], locks: [], isNotified: false, isOver: false }
    const reserve: Reserve = (keys, mode) => {
      const locked =
        mode === 'unlocked' || relaxed === 'unlocked' ? Promise.resolve() : lockAll(owner, keys, mode)
      const settled = locked.catch(() => undefined)
      unit.locks.push(weakness.deadlock === 'catchable' ? settled : locked)
      return locked
    }
    const storeAt = (spec: CollectionSpec, workspace: string) =>
      rejectAfterEnd(unit, deferredStore(inner, spec, workspace, unit, reserve, weakness))
    const tx = createTransaction(storeAt, {
      async savepoint(work) {
        const releaseLocks = () => weakness.savepoint === 'releasesLocks' && release(owner)
        return runSavepoint(unit, work).finally(releaseLocks)
      },
      outbox: rejectAfterEnd(
        unit,
        deferredOutbox(inner, unit, reserve, (key) => isFree(owner, key), weakness),
      ),
      async lock(key) {
        if (unit.isOver) throw new Error('The transaction is over.')
        await reserve([`key ${key}`], weakness.lock ?? 'exclusive')
      },
      notify() {
        unit.isNotified = true
      },
      measureWorkspace: (id) => runAndRollBack(inner, unit.writes, (tx) => tx.measureWorkspace(id)),
    })
    try {
      const result = await context
        .run(() => work(tx))
        .finally(() => {
          unit.isOver = true
          return Promise.all(unit.locks)
        })
      await inner.transact(async (tx) => {
        await replayWrites(tx, unit.writes)
        if (unit.isNotified) tx.notify()
      })
      return result
    } catch (error) {
      if (!isDeadlock(error) || relaxed === 'reportsDeadlock' || attempts === 1) throw error
    } finally {
      release(owner)
    }
    return transact(work, relaxed, attempts - 1)
  }

  async function lockAll(owner: object, keys: readonly string[], mode: LockMode): Promise<void> {
    for (const key of keys) await lock(owner, key, mode)
  }

  async function runSavepoint<T>(unit: DeferredUnit, work: () => Promise<T>): Promise<T> {
    if (unit.isOver) throw new Error('The transaction is over.')
    const before = weakness.savepoint === 'rollsBackAll' ? 0 : unit.writes.length
    try {
      return await flushSavepoint(unit, work)
    } catch (error) {
      unit.writes.splice(before)
      throw error
    }
  }

  /** Rejects with the error of a failed write even if the work threw another or none. */
  async function flushSavepoint<T>(unit: DeferredUnit, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      await Promise.all(unit.locks)
      if (weakness.savepoint !== 'unchecked') await runAndRollBack(inner, unit.writes, async () => undefined)
    }
  }

  function readPerCall<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return work(
      createTransaction((spec, workspace) => storePerCall((work) => inner.read(work), spec, workspace), {
        savepoint: (work) => work(),
        outbox: outboxPerCall((work) => inner.read(work)),
        lock: () => Promise.reject(new Error('A read neither writes nor locks.')),
        notify: () => undefined,
        measureWorkspace: (id) => inner.read((tx) => tx.measureWorkspace(id)),
      }),
    )
  }

  return {
    transact: (work, options) =>
      track(() => transact(work, options?.durability === 'relaxed' ? weakness.relaxed : undefined)),
    read: (work, options) =>
      track(() =>
        weakness.read === 'perCall' && options?.isolation !== 'statement'
          ? readPerCall(work)
          : inner.read(work, options),
      ),
    onNotify: (listener) => inner.onNotify(listener),
    check: () => inner.check(),
    async close() {
      isClosed = true
      await Promise.all(running)
      await inner.close()
    },
  }
}

/** Wraps a store so that every call rejects after the work has ended. */
function rejectAfterEnd<S extends object>(unit: DeferredUnit, store: S): S {
  const methods = Object.entries(store).map(
    ([name, method]: [string, (...args: unknown[]) => Promise<unknown>]) => {
      const guarded = async (...args: unknown[]) => {
        if (unit.isOver) throw new Error('The transaction is over.')
        return method(...args)
      }
      return [name, guarded]
    },
  )
  return Object.fromEntries(methods) as S
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
  const visibleWrites = weakness.ownWrites === 'invisible' ? [] : writes
  function read<T>(query: (store: RowStore) => Promise<T>): Promise<T> {
    return runAndRollBack(inner, visibleWrites.slice(), (tx) => query(storeIn(tx)))
  }
  function defer(keys: readonly string[], write: (store: RowStore) => Promise<unknown>): Promise<void> {
    writes.push((tx) => write(storeIn(tx)))
    return reserve(keys, 'exclusive')
  }
  /** The keys that a row locks: its id and its unique values. */
  function keysOf(row: Row): string[] {
    const fields = weakness.uniqueValues === 'unlocked' ? [] : [...spec.unique, ...spec.uniqueForever]
    const values = fields
      .filter((field) => row[field] !== null)
      .map((field) => `${spec.name} ${workspace} ${field} ${row[field]}`)
    return [row.id, ...values]
  }
  return {
    get: (id) => read((store) => store.get(id)),
    async getForUpdate(id, options) {
      const lockMode = options?.lock === 'optimistic' ? weakness.optimisticLock : weakness.getForUpdate
      await reserve([id], lockMode ?? 'exclusive')
      return read((store) => store.get(id))
    },
    async getForShare(id) {
      await reserve([id], weakness.getForShare ?? 'shared')
      return read((store) => store.get(id))
    },
    getMany: (ids) => read((store) => store.getMany(ids)),
    find: (where) => read((store) => store.find(where)),
    has: (where) => read((store) => store.has(where)),
    countByTerm: (field, terms) => read((store) => store.countByTerm(field, terms)),
    aggregate: (query) => read((store) => store.aggregate(query)),
    listGroups: (query) => read((store) => store.listGroups(query)),
    medianDuration: (query) => read((store) => store.medianDuration(query)),
    list: (query) => read((store) => store.list(query)),
    scan: (query) => read((store) => store.scan(query)),
    insert: (row) => defer(keysOf(row), (store) => store.insert(row)),
    insertMany: (rows) => defer(rows.flatMap(keysOf), (store) => store.insertMany(rows)),
    update: (row) => defer(keysOf(row), (store) => store.update(row)),
    async softDelete(id, at) {
      const before = writes.slice()
      writes.push((tx) => storeIn(tx).softDelete(id, at))
      await reserve([id], weakness.softDelete ?? 'exclusive')
      return runAndRollBack(inner, before, async (tx) => (await storeIn(tx).get(id)) !== undefined)
    },
    hardDelete: (id) => defer([id], (store) => store.hardDelete(id)),
  }
}

/** A store in which each call is a transaction of its own, and list counts after it has read its rows. */
export function storePerCall(
  transact: Storage['transact'],
  spec: CollectionSpec,
  workspace: string,
): RowStore {
  const run = <T>(call: (store: RowStore) => Promise<T>) =>
    transact((tx) => call(spec.storeIn(tx, workspace)))
  return {
    get: (id) => run((store) => store.get(id)),
    getForUpdate: (id, options) => run((store) => store.getForUpdate(id, options)),
    getForShare: (id) => run((store) => store.getForShare(id)),
    getMany: (ids) => run((store) => store.getMany(ids)),
    find: (where) => run((store) => store.find(where)),
    has: (where) => run((store) => store.has(where)),
    countByTerm: (field, terms) => run((store) => store.countByTerm(field, terms)),
    aggregate: (query) => run((store) => store.aggregate(query)),
    listGroups: (query) => run((store) => store.listGroups(query)),
    medianDuration: (query) => run((store) => store.medianDuration(query)),
    async list(query) {
      const { rows } = await run((store) => store.list(query))
      const { total } = await run((store) => store.list(query))
      return { rows, total }
    },
    scan: (query) => run((store) => store.scan(query)),
    insert: (row) => run((store) => store.insert(row)),
    insertMany: (rows) => run((store) => store.insertMany(rows)),
    update: (row) => run((store) => store.update(row)),
    softDelete: (id, at) => run((store) => store.softDelete(id, at)),
    hardDelete: (id) => run((store) => store.hardDelete(id)),
  }
}
