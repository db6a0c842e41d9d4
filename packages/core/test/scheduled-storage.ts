import type { Scheduler } from 'fast-check'
import type { SharedStores, Storage, Transaction } from '../src/ports/storage.ts'

/**
 * What becomes of a transaction: it is refused before it begins, or kept while whoever asked hears of a lost
 * connection.
 */
export type TransactionFate = 'refused' | 'unheard' | 'kept'

type Wait = (label: string) => Promise<void>

/**
 * The storage, each of whose transactions begins, goes on from call to call and is answered when the
 * scheduler says so, and fails where `luck` says so. The calls of one transaction keep their order.
 */
export function scheduledStorage(
  storage: Storage,
  s: Scheduler,
  nextFate: () => TransactionFate = () => 'kept',
): Storage {
  const wait: Wait = (label) => s.schedule(Promise.resolve(), label)

  async function runScheduled<T>(
    begin: (work: (tx: Transaction) => Promise<T>) => Promise<T>,
    work: (tx: Transaction) => Promise<T>,
    mayFail: boolean,
  ): Promise<T> {
    await wait('begin')
    const chance = mayFail ? nextFate() : 'kept'
    if (chance === 'refused') throw new Error('The connection was refused.')
    const answer = await begin((tx) => runStepwise(tx, wait, work)).finally(() => wait('answer'))
    if (chance === 'unheard') throw new Error('The connection was lost.')
    return answer
  }

  return {
    ...storage,
    transact: (work, options) => runScheduled((run) => storage.transact(run, options), work, true),
    read: (work, options) =>
      options ? storage.read(work, options) : runScheduled((run) => storage.read(run), work, false),
  }
}

/**
 * Does the work with a transaction that waits before each of its calls, and for those that nobody waited for.
 */
async function runStepwise<T>(
  tx: Transaction,
  wait: Wait,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  let last = Promise.resolve()

  async function awaitCalls<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work()
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
  function serialize<S extends object>(one: S): S {
    return mapProperties(one, (use, name) =>
      typeof use === 'function' ? (...given: unknown[]) => call(name, async () => use(...given)) : use,
    )
  }

  const own: Omit<Transaction, keyof SharedStores> = {
    workspace: (id) => mapProperties(tx.workspace(id), (store) => serialize(store as object)),
    outbox: serialize(tx.outbox),
    notify: () => tx.notify(),
    savepoint: (work) =>
      call('attempt', async () => undefined).then(() => tx.savepoint(() => awaitCalls(work))),
  }
  return awaitCalls(() =>
    work(
      mapProperties(tx, (shared, name) =>
        name in own ? own[name as keyof typeof own] : serialize(shared as object),
      ),
    ),
  )
}

/** Whatever is asked of it, changed; a store may make what it has only when it is asked. */
function mapProperties<O extends object>(of: O, change: (value: unknown, name: string) => unknown): O {
  return new Proxy({} as O, { get: (_, name) => change(Reflect.get(of, name), String(name)) })
}
