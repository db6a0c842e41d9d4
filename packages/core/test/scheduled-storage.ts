import type { Scheduler } from 'fast-check'
import type { SharedStores, Storage, Transaction } from '../src/ports/storage.ts'

/**
 * The fate of a transaction: rejected before its start, committed with a lost connection instead of a
 * response, or committed.
 */
export type TransactionFate = 'rejected' | 'unacknowledged' | 'committed'

type Wait = (label: string) => Promise<void>

/**
 * Wraps the storage: the scheduler decides when each transaction begins, runs its next call and returns.
 * `nextFate` decides which transactions fail. The calls of one transaction keep their order.
 */
export function scheduledStorage(
  storage: Storage,
  s: Scheduler,
  nextFate: () => TransactionFate = () => 'committed',
): Storage {
  const wait: Wait = (label) => s.schedule(Promise.resolve(), label)

  async function runScheduled<T>(
    transact: (work: (tx: Transaction) => Promise<T>) => Promise<T>,
    work: (tx: Transaction) => Promise<T>,
    mayFail: boolean,
  ): Promise<T> {
    await wait('begin')
    const fate = mayFail ? nextFate() : 'committed'
    if (fate === 'rejected') throw new Error('The connection was rejected.')
    const result = await transact((tx) => runStepwise(tx, wait, work)).finally(() => wait('answer'))
    if (fate === 'unacknowledged') throw new Error('The connection was lost.')
    return result
  }

  return {
    ...storage,
    transact: (work, options) => runScheduled((run) => storage.transact(run, options), work, true),
    read: (work, options) =>
      options ? storage.read(work, options) : runScheduled((run) => storage.read(run), work, false),
  }
}

/**
 * Runs the work with a transaction that waits before each of its calls. Also waits for calls that the work
 * did not await.
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
    const result = last.then(use)
    // A call that nobody awaits must not cause an unhandled rejection.
    result.catch(() => undefined)
    return result
  }

  /** Wraps each function of a store in `call`. */
  function serialize<S extends object>(store: S): S {
    return mapProperties(store, (use, name) =>
      typeof use === 'function'
        ? (...parameters: unknown[]) => call(name, async () => use(...parameters))
        : use,
    )
  }

  const ownProperties: Omit<Transaction, keyof SharedStores> = {
    workspace: (id) => mapProperties(tx.workspace(id), (store) => serialize(store as object)),
    outbox: serialize(tx.outbox),
    notify: () => tx.notify(),
    lock: (key) => call('lock', () => tx.lock(key)),
    measureWorkspace: (id) => call('measureWorkspace', () => tx.measureWorkspace(id)),
    savepoint: (work) =>
      call('savepoint', async () => undefined).then(() => tx.savepoint(() => awaitCalls(work))),
  }
  return awaitCalls(() =>
    work(
      mapProperties(tx, (shared, name) =>
        name in ownProperties
          ? ownProperties[name as keyof typeof ownProperties]
          : serialize(shared as object),
      ),
    ),
  )
}

/** A proxy that changes each property when it is read, since a store may create them lazily. */
function mapProperties<O extends object>(target: O, change: (value: unknown, name: string) => unknown): O {
  return new Proxy({} as O, { get: (_, name) => change(Reflect.get(target, name), String(name)) })
}
