import { listeners } from '../kernel/listeners.ts'
import type { Outbox } from '../ports/outbox.ts'
import type { Storage, Transaction, WorkspaceStores } from '../ports/storage.ts'
import type { Collection } from '../schema/index.ts'
import { SHAPES, SHARED_SHAPES } from '../schema/index.ts'
import type { BaseStorage, BaseStore, BaseTransaction } from './base-storage.ts'
import { type AnyRecord, completeStore, type StoreOf } from './complete-store.ts'
import { deriveOutbox } from './derive-outbox.ts'
import { measureWorkspace } from './measure-workspace.ts'
import { TransactionContext } from './transaction-context.ts'
import { TransactionGuard } from './transaction-guard.ts'

/**
 * Derives what a store does not implement. Listeners of `onNotify` hear of the transactions of this object
 * alone: a store on which several processes work has its own `onNotify`.
 */
export function completeStorage(base: BaseStorage): Storage {
  const commitListeners = listeners()
  const context = new TransactionContext()
  return {
    async transact(work, options) {
      context.assertNotNested()
      let isNotifyRequested = false
      const result = await base.transact((tx) => {
        // The work may be retried.
        isNotifyRequested = false
        const notify = () => {
          isNotifyRequested = true
        }
        return context.run(() => runGuarded(new TransactionGuard(true), tx, notify, work))
      }, options)
      if (isNotifyRequested) commitListeners.notify()
      return result
    },
    async read(work, options) {
      context.assertNotNested()
      return base.read(
        (tx) => context.run(() => runGuarded(new TransactionGuard(false), tx, () => {}, work)),
        options,
      )
    },
    onNotify: (listener) => commitListeners.add(listener),
    check: () => base.check(),
    close: () => base.close(),
  }
}

function runGuarded<T>(
  guard: TransactionGuard,
  tx: BaseTransaction,
  notify: () => void,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return guard.run(() => work(completeTransaction(tx, guard, notify)))
}

function completeTransaction(tx: BaseTransaction, guard: TransactionGuard, notify: () => void): Transaction {
  const shared = tx as unknown as AnyStores
  const storesOf = (workspaceId: string): StoreOf => {
    const stores = tx.workspace(workspaceId) as unknown as AnyStores
    return (name) => stores[name]!
  }
  return {
    ...completeAll<Transaction>(SHARED_SHAPES, (name) => shared[name]!, guard),
    workspace: (id) => completeAll<WorkspaceStores>(SHAPES, storesOf(id), guard),
    outbox: guardOutbox(tx.outbox ?? deriveOutbox(tx), guard),
    measureWorkspace: (id) =>
      guard.read(async () =>
        tx.measureWorkspace ? tx.measureWorkspace(id) : measureWorkspace(storesOf(id)),
      ),
    lock: (key) => guard.lock(async () => tx.lock?.(key)),
    savepoint: (work) => guard.savepoint((run) => tx.savepoint(run), work),
    notify,
  }
}

function guardOutbox(outbox: Outbox, guard: TransactionGuard): Outbox {
  return {
    claim: (claim) => guard.write(() => outbox.claim(claim)),
    markDelivered: (deliveries) => guard.write(() => outbox.markDelivered(deliveries)),
    deleteFinished: (changedUntil, limit) => guard.write(() => outbox.deleteFinished(changedUntil, limit)),
    backlog: () => guard.read(() => outbox.backlog()),
  }
}

type AnyStores = Readonly<Record<string, BaseStore<AnyRecord>>>

function completeAll<Stores>(shapes: object, storeOf: StoreOf, guard: TransactionGuard): Stores {
  const names = Object.keys(shapes) as Collection[]
  return Object.fromEntries(
    names.map((name) => [name, completeStore(storeOf(name), storeOf, guard)]),
  ) as Stores
}
