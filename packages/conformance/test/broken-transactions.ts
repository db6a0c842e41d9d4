import { AsyncLocalStorage } from 'node:async_hooks'
import { memoryStorage } from '@sales-crm/core/memory'
import { conflict, type Storage } from '@sales-crm/core/ports'
import type { CollectionSpec } from '../src/collections.ts'
import { alterStorage, alterStores, createTransaction, findConflict } from './altered-storage.ts'
import { outboxPerCall } from './deferred-outbox.ts'
import { deferredStorage, storePerCall } from './deferred-storage.ts'

export function permitNesting(): Storage {
  const storage = deferredStorage()
  const outside = AsyncLocalStorage.snapshot()
  return {
    ...storage,
    transact: (work) => storage.transact((tx) => outside(() => work(tx))),
  }
}

export function neverLeaveTransactions(): Storage {
  const storage = memoryStorage()
  const transaction = new AsyncLocalStorage<boolean>()
  return {
    ...storage,
    async transact(work) {
      if (transaction.getStore()) throw new Error('A transaction is open.')
      return storage.transact((tx) => transaction.run(true, () => work(tx)))
    },
  }
}

export function commitOnError(storage = memoryStorage()): Storage {
  return {
    ...storage,
    async transact(work) {
      const outcome = await storage.transact(async (tx) =>
        work(tx).then(
          (result) => ({ result }),
          (error: unknown) => ({ error }),
        ),
      )
      if ('error' in outcome) throw outcome.error
      return outcome.result
    },
  }
}

/** Checks for a conflict before the insert, so that the conflict does not fail the transaction. */
export function checkConflictsFirst(): Storage {
  return alterStorage((store, { spec }) => ({
    async insert(row) {
      const field = await findConflict(store, spec, row)
      if (field) throw conflict(field)
      await store.insert(row)
    },
  }))
}

export function loseUnawaitedWrites(storage = memoryStorage()): Storage {
  return alterStores(storage, (store) => ({
    async insert(row) {
      for (let nth = 0; nth < 20; nth += 1) await store.get(row.id).catch(() => undefined)
      await store.insert(row).catch(() => undefined)
    },
  }))
}

export function commitEachCall(storage = memoryStorage()): Storage {
  const storeAt = (spec: CollectionSpec, workspace: string) => storePerCall(storage.transact, spec, workspace)
  const outbox = outboxPerCall(storage.transact)
  const tx = createTransaction(storeAt, {
    savepoint: (work) => work(),
    outbox,
    lock: (key) => storage.transact((tx) => tx.lock(key)),
    notify: () => void storage.transact(async (tx) => tx.notify()),
    measureWorkspace: (id) => storage.transact((tx) => tx.measureWorkspace(id)),
  })
  return { ...storage, transact: (work) => work(tx) }
}

export function failForeverAfterError(): Storage {
  const storage = memoryStorage()
  let hasFailed = false
  return {
    ...storage,
    async transact(work) {
      if (hasFailed) throw new Error('current transaction is aborted')
      return storage.transact(work).catch((error) => {
        hasFailed = true
        throw error
      })
    },
  }
}

export function shareFailures(): Storage {
  const storage = memoryStorage()
  let group: Promise<unknown>[] = []
  return {
    ...storage,
    async transact(work) {
      const own = storage.transact(work)
      group.push(own)
      const currentGroup = group
      await Promise.allSettled(currentGroup)
      group = []
      await Promise.all(currentGroup)
      return own
    },
  }
}
