import type { Scheduler } from 'fast-check'
import type { SharedStores, Storage, Transaction } from '../src/ports.ts'

/** What becomes of a transaction: it is refused before it begins, or kept while whoever asked hears of a lost connection. */
export type Luck = 'refused' | 'unheard' | 'kept'

type Wait = (label: string) => Promise<void>

/**
 * The storage, each of whose transactions begins, goes on from call to call and is answered when the scheduler says so, and fails where
 * `luck` says so. The calls of one transaction keep their order.
 */
export function scheduledStorage(storage: Storage, s: Scheduler, luck: () => Luck = () => 'kept'): Storage {
  const wait: Wait = (label) => s.schedule(Promise.resolve(), label)

  async function within<T>(begin: Storage['transact'], work: (tx: Transaction) => Promise<T>, mayFail: boolean): Promise<T> {
    await wait('begin')
    const chance = mayFail ? luck() : 'kept'
    if (chance === 'refused') throw new Error('The connection was refused.')
    const answer = await begin((tx) => stepped(tx, wait, work)).finally(() => wait('answer'))
    if (chance === 'unheard') throw new Error('The connection was lost.')
    return answer
  }

  return {
    ...storage,
    transact: (work) => within(storage.transact, work, true),
    transactUnsynced: (work) => within(storage.transactUnsynced, work, true),
    read: (work) => within(storage.read, work, false),
  }
}

/** Does the work with a transaction that waits before each of its calls, and for those that nobody waited for. */
async function stepped<T>(tx: Transaction, wait: Wait, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let last = Promise.resolve()

  async function whole<R>(part: () => Promise<R>): Promise<R> {
    try {
      return await part()
    } finally {
      await last
    }
  }

  function call<R>(name: string, use: () => Promise<R>): Promise<R> {
    last = last.then(() => wait(name))
    const answer = last.then(use)
    // Where nobody waits for it, the transaction still hears of it.
    answer.catch(() => undefined)
    return answer
  }

  /** The same with each of its functions called in its turn. */
  function inTurn<S extends object>(one: S): S {
    return eachOf(one, (use, name) => (typeof use === 'function' ? (...given: unknown[]) => call(name, async () => use(...given)) : use))
  }

  const own: Omit<Transaction, keyof SharedStores> = {
    workspace: (id) => eachOf(tx.workspace(id), (store) => inTurn(store as object)),
    outbox: inTurn(tx.outbox),
    wake: () => tx.wake(),
    attempt: (part) => call('attempt', async () => undefined).then(() => tx.attempt(() => whole(part))),
  }
  return whole(() => work(eachOf(tx, (shared, name) => (name in own ? own[name as keyof typeof own] : inTurn(shared as object)))))
}

/** Whatever is asked of it, changed; a store may make what it has only when it is asked. */
function eachOf<O extends object>(of: O, change: (value: unknown, name: string) => unknown): O {
  return new Proxy({} as O, { get: (_, name) => change(Reflect.get(of, name), String(name)) })
}
