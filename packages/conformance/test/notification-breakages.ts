import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import type { Breakage } from './breakage.ts'

const NOT_CALLED = 'notify: calls no listener after a rollback or without notify'
const UNSUBSCRIBE = 'notify: calls every listener until it unsubscribes, even one registered twice'

export const NOTIFICATION_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'A listener is called',
    breakage: 'no listener is called',
    noticedBy: 'notify: calls the listener after each transaction that notifies',
    open: () => ({ ...memoryStorage(), onNotify: () => () => undefined }),
  },
  {
    guarantee: 'Listeners are called repeatedly',
    breakage: 'listeners are called only once',
    noticedBy: 'notify: calls the listener after each transaction that notifies',
    open: callListenersOnce,
  },
  {
    guarantee: 'A notification follows its commit',
    breakage: 'listeners are called by notify itself',
    noticedBy: 'notify: calls no listener before the commit',
    open: callListenersBeforeCommit,
  },
  {
    guarantee: 'A rolled-back transaction does not notify',
    breakage: 'listeners are called after a rollback',
    noticedBy: NOT_CALLED,
    open: () => {
      const storage = memoryStorage()
      return {
        ...storage,
        transact: (work) =>
          storage
            .transact(work)
            .catch((error) => storage.transact(async (tx) => tx.notify()).then(() => Promise.reject(error))),
      }
    },
  },
  {
    guarantee: 'Only notify calls listeners',
    breakage: 'every commit calls listeners',
    noticedBy: NOT_CALLED,
    open: () => {
      const storage = memoryStorage()
      return {
        ...storage,
        transact: (work) =>
          storage.transact((tx) => {
            tx.notify()
            return work(tx)
          }),
      }
    },
  },
  {
    guarantee: 'A read does not notify',
    breakage: 'listeners are called after a read',
    noticedBy: 'notify: calls no listener from a read',
    open: callListenersAfterRead,
  },
  {
    guarantee: 'An unsubscribed listener is not called',
    breakage: 'unsubscribing has no effect',
    noticedBy: UNSUBSCRIBE,
    open: () => {
      const storage = memoryStorage()
      return {
        ...storage,
        onNotify(listener) {
          storage.onNotify(listener)
          return () => undefined
        },
      }
    },
  },
  {
    guarantee: 'Each registration ends by itself',
    breakage: 'listeners are identified by their function',
    noticedBy: UNSUBSCRIBE,
    open: deduplicateListeners,
  },
  {
    guarantee: 'The error of a listener is ignored',
    breakage: 'a transaction fails with its listeners',
    noticedBy: 'notify: ignores the error of a listener and calls the others',
    open: failWithListeners,
  },
]

function callListenersOnce(): Storage {
  const storage = memoryStorage()
  return {
    ...storage,
    onNotify(listener) {
      const unsubscribe = storage.onNotify(() => {
        unsubscribe()
        listener()
      })
      return unsubscribe
    },
  }
}

function callListenersBeforeCommit(): Storage {
  const storage = memoryStorage()
  const listeners: (() => void)[] = []
  const notify = () => {
    for (const listener of listeners) listener()
  }
  return {
    ...storage,
    transact: (work) => storage.transact((tx) => work({ ...tx, notify })),
    onNotify(listener) {
      listeners.push(listener)
      return () => listeners.splice(listeners.indexOf(listener), 1)
    },
  }
}

function callListenersAfterRead(): Storage {
  const storage = memoryStorage()
  return {
    ...storage,
    async read(work, options) {
      let notified = false
      const notify = () => {
        notified = true
      }
      const result = await storage.read((tx) => work({ ...tx, notify }), options)
      if (notified) await storage.transact(async (tx) => tx.notify())
      return result
    },
  }
}

function deduplicateListeners(): Storage {
  const storage = memoryStorage()
  const listeners = new Set<() => void>()
  storage.onNotify(() => {
    for (const listener of listeners) listener()
  })
  return {
    ...storage,
    onNotify(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function failWithListeners(): Storage {
  const storage = memoryStorage()
  let failure: unknown
  return {
    ...storage,
    async transact(work) {
      const result = await storage.transact(work)
      if (failure) throw failure
      return result
    },
    onNotify: (listener) =>
      storage.onNotify(() => {
        try {
          listener()
        } catch (error) {
          failure = error
        }
      }),
  }
}
