import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage, Transaction } from '@sales-crm/core/ports'
import type { Place, Row, RowStore } from '../src/places.ts'
import { transactionOf } from './altered.ts'
import { lateOutbox, outboxByCall } from './late-outbox.ts'
import { peek, type Reserve, replay, type Unit, type Weakness } from './late-unit.ts'
import { locks, type Mode, wasDeadlock } from './locks.ts'

/**
 * The other way to be sound: transactions run side by side under locks, run again after a deadlock, and send their writes with
 * the commit, so that `transact` is what throws a conflict. With a weakness, it is what a careless database store would be.
 */
export function lateStorage(weakness: Weakness = {}): Storage {
  const inner = memoryStorage()
  const { hold, isFree, release } = locks()
  const begun = new Set<Promise<unknown>>()
  let closed = false

  function track<T>(work: () => Promise<T>): Promise<T> {
    if (closed) return Promise.reject(new Error('The storage is closed.'))
    const run = work()
    begun.add(run.catch(() => undefined))
    return run
  }

  async function transact<T>(work: (tx: Transaction) => Promise<T>, how?: Weakness['unsynced'], tries = 50): Promise<T> {
    const owner = {}
    const unit: Unit = { writes: [], reserved: [], woken: false, over: false }
    const reserve: Reserve = (keys, mode) => {
      const held = mode === 'free' || how === 'free' ? Promise.resolve() : holdAll(owner, keys, mode)
      const settled = held.catch(() => undefined)
      unit.reserved.push(weakness.deadlock === 'heard' ? settled : held)
      return held
    }
    const storeAt = (place: Place, workspace: string) => lasting(unit, lateStore(inner, place, workspace, unit, reserve, weakness))
    const tx = transactionOf(storeAt, {
      async attempt(part) {
        const letGo = () => weakness.attempt === 'free' && release(owner)
        return attempt(unit, part).finally(letGo)
      },
      outbox: lasting(
        unit,
        lateOutbox(inner, unit, reserve, (key) => isFree(owner, key), weakness),
      ),
      wake() {
        unit.woken = true
      },
    })
    try {
      const answer = await work(tx).finally(() => {
        unit.over = true
        return Promise.all(unit.reserved)
      })
      await inner.transact(async (tx) => {
        await replay(tx, unit.writes)
        if (unit.woken) tx.wake()
      })
      return answer
    } catch (error) {
      if (!wasDeadlock(error) || how === 'deadlock' || tries === 1) throw error
    } finally {
      release(owner)
    }
    return transact(work, how, tries - 1)
  }

  async function holdAll(owner: object, keys: readonly string[], mode: Mode): Promise<void> {
    for (const key of keys) await hold(owner, key, mode)
  }

  async function attempt<T>(unit: Unit, part: () => Promise<T>): Promise<T> {
    if (unit.over) throw new Error('The transaction is over.')
    const before = weakness.attempt === 'all' ? 0 : unit.writes.length
    try {
      return await judged(unit, part)
    } catch (error) {
      unit.writes.splice(before)
      throw error
    }
  }

  /** A write that fails comes before what the part made of it. */
  async function judged<T>(unit: Unit, part: () => Promise<T>): Promise<T> {
    try {
      return await part()
    } finally {
      await Promise.all(unit.reserved)
      if (weakness.attempt !== 'unjudged') await peek(inner, unit.writes, async () => undefined)
    }
  }

  function readInMoments<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return work(
      transactionOf((place, workspace) => callByCall(inner.read, place, workspace), {
        attempt: (part) => part(),
        outbox: outboxByCall(inner.read),
        wake: () => undefined,
      }),
    )
  }

  return {
    transact: (work) => track(() => transact(work)),
    transactUnsynced: (work) => track(() => transact(work, weakness.unsynced)),
    read: (work) => track(() => (weakness.read === 'moments' ? readInMoments(work) : inner.read(work))),
    glance: (work) => track(() => inner.glance(work)),
    survey: (work) => track(() => (weakness.read === 'moments' ? readInMoments(work) : inner.survey(work))),
    onWake: (listener) => inner.onWake(listener),
    check: () => inner.check(),
    async close() {
      closed = true
      await Promise.all(begun)
      await inner.close()
    },
  }
}

/** The same store, each of whose calls rejects once the work is over. */
function lasting<S extends object>(unit: Unit, store: S): S {
  const verbs = Object.entries(store).map(([verb, use]: [string, (...given: unknown[]) => Promise<unknown>]) => {
    const limited = async (...given: unknown[]) => {
      if (unit.over) throw new Error('The transaction is over.')
      return use(...given)
    }
    return [verb, limited]
  })
  return Object.fromEntries(verbs) as S
}

function lateStore(inner: Storage, place: Place, workspace: string, { writes }: Unit, reserve: Reserve, weakness: Weakness): RowStore {
  const storeIn = (tx: Transaction) => place.storeIn(tx, workspace)
  const seen = weakness.sight === 'none' ? [] : writes
  function see<T>(look: (store: RowStore) => Promise<T>): Promise<T> {
    return peek(inner, seen.slice(), (tx) => look(storeIn(tx)))
  }
  function later(keys: readonly string[], write: (store: RowStore) => Promise<unknown>): Promise<void> {
    writes.push((tx) => write(storeIn(tx)))
    return reserve(keys, 'alone')
  }
  /** What a row takes for itself: its id, and each value no other has. */
  function keysOf(row: Row): string[] {
    const fields = weakness.values === 'free' ? [] : [...place.unique, ...place.neverReused]
    const values = fields.filter((field) => row[field] !== null).map((field) => `${place.name} ${workspace} ${field} ${row[field]}`)
    return [row.id, ...values]
  }
  return {
    get: (id) => see((store) => store.get(id)),
    getWithLinks: (id) => see((store) => store.getWithLinks(id)),
    async getForUpdate(id) {
      await reserve([id], weakness.getForUpdate ?? 'alone')
      return see((store) => store.get(id))
    },
    async getToChange(id) {
      await reserve([id], weakness.getToChange ?? 'alone')
      return see((store) => store.get(id))
    },
    async getForShare(id) {
      await reserve([id], weakness.getForShare ?? 'shared')
      return see((store) => store.get(id))
    },
    getMany: (ids) => see((store) => store.getMany(ids)),
    find: (where) => see((store) => store.find(where)),
    has: (where) => see((store) => store.has(where)),
    tally: (field, words) => see((store) => store.tally(field, words)),
    summarize: (query) => see((store) => store.summarize(query)),
    medianSpan: (query) => see((store) => store.medianSpan(query)),
    list: (query) => see((store) => store.list(query)),
    insert: (row) => later(keysOf(row), (store) => store.insert(row)),
    insertMany: (rows) => later(rows.flatMap(keysOf), (store) => store.insertMany(rows)),
    update: (row) => later(keysOf(row), (store) => store.update(row)),
    async softDelete(id, at) {
      const before = writes.slice()
      writes.push((tx) => storeIn(tx).softDelete(id, at))
      await reserve([id], weakness.softDelete ?? 'alone')
      return peek(inner, before, async (tx) => (await storeIn(tx).get(id)) !== undefined)
    },
    erase: (id) => later([id], (store) => store.erase(id)),
  }
}

/** Each call is a transaction of its own, and a list counts after it has read its rows. */
export function callByCall(transact: Storage['transact'], place: Place, workspace: string): RowStore {
  const see = <T>(look: (store: RowStore) => Promise<T>) => transact((tx) => look(place.storeIn(tx, workspace)))
  return {
    get: (id) => see((store) => store.get(id)),
    getWithLinks: (id) => see((store) => store.getWithLinks(id)),
    getForUpdate: (id) => see((store) => store.getForUpdate(id)),
    getToChange: (id) => see((store) => store.getToChange(id)),
    getForShare: (id) => see((store) => store.getForShare(id)),
    getMany: (ids) => see((store) => store.getMany(ids)),
    find: (where) => see((store) => store.find(where)),
    has: (where) => see((store) => store.has(where)),
    tally: (field, words) => see((store) => store.tally(field, words)),
    summarize: (query) => see((store) => store.summarize(query)),
    medianSpan: (query) => see((store) => store.medianSpan(query)),
    async list(query) {
      const { rows } = await see((store) => store.list(query))
      const { total } = await see((store) => store.list(query))
      return { rows, total }
    },
    insert: (row) => see((store) => store.insert(row)),
    insertMany: (rows) => see((store) => store.insertMany(rows)),
    update: (row) => see((store) => store.update(row)),
    softDelete: (id, at) => see((store) => store.softDelete(id, at)),
    erase: (id) => see((store) => store.erase(id)),
  }
}
