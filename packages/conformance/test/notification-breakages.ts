import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import type { Breakage } from './breakage.ts'

const NOBODY = 'wakes: nobody is called for a transaction that throws, or does not say wake'
const UNTIL = 'wakes: all who listen are called until they end it, also one that listens twice'

export const NOTIFICATION_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'Whoever listens is called',
    breakage: 'nobody ever is',
    noticedBy: 'wakes: whoever listens is called after each transaction that said wake',
    open: () => ({ ...memoryStorage(), onNotify: () => () => undefined }),
  },
  {
    guarantee: 'Listeners are called again and again',
    breakage: 'they are called once',
    noticedBy: 'wakes: whoever listens is called after each transaction that said wake',
    open: callsOnce,
  },
  {
    guarantee: 'A wake follows its commit',
    breakage: 'it is heard when it is said',
    noticedBy: 'wakes: nobody is called before the transaction is committed',
    open: callsAtOnce,
  },
  {
    guarantee: 'Nobody is woken for nothing',
    breakage: 'what a transaction said before it threw is heard',
    noticedBy: NOBODY,
    open: () => {
      const sound = memoryStorage()
      return {
        ...sound,
        transact: (work) =>
          sound
            .transact(work)
            .catch((error) => sound.transact(async (tx) => tx.notify()).then(() => Promise.reject(error))),
      }
    },
  },
  {
    guarantee: 'Only those who say wake wake',
    breakage: 'every commit does',
    noticedBy: NOBODY,
    open: () => {
      const sound = memoryStorage()
      return {
        ...sound,
        transact: (work) =>
          sound.transact((tx) => {
            tx.notify()
            return work(tx)
          }),
      }
    },
  },
  {
    guarantee: 'Whoever has ended it is not called',
    breakage: 'listening never ends',
    noticedBy: UNTIL,
    open: () => {
      const sound = memoryStorage()
      return {
        ...sound,
        onNotify(listener) {
          sound.onNotify(listener)
          return () => undefined
        },
      }
    },
  },
  {
    guarantee: 'Who listens twice ends each by itself',
    breakage: 'a listener is known by its function',
    noticedBy: UNTIL,
    open: knowsFunctions,
  },
  {
    guarantee: 'What a listener makes of it is its own affair',
    breakage: 'a transaction fails with its listeners',
    noticedBy: 'wakes: a listener that throws fails no transaction and keeps no other from being called',
    open: failsWithListeners,
  },
]

function callsOnce(): Storage {
  const sound = memoryStorage()
  return {
    ...sound,
    onNotify(listener) {
      const end = sound.onNotify(() => {
        end()
        listener()
      })
      return end
    },
  }
}

function callsAtOnce(): Storage {
  const sound = memoryStorage()
  const listeners: (() => void)[] = []
  const wake = () => {
    for (const listener of listeners) listener()
  }
  return {
    ...sound,
    transact: (work) => sound.transact((tx) => work({ ...tx, notify: wake })),
    onNotify(listener) {
      listeners.push(listener)
      return () => listeners.splice(listeners.indexOf(listener), 1)
    },
  }
}

function knowsFunctions(): Storage {
  const sound = memoryStorage()
  const listeners = new Set<() => void>()
  sound.onNotify(() => {
    for (const listener of listeners) listener()
  })
  return {
    ...sound,
    onNotify(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function failsWithListeners(): Storage {
  const sound = memoryStorage()
  let failure: unknown
  return {
    ...sound,
    async transact(work) {
      const answer = await sound.transact(work)
      if (failure) throw failure
      return answer
    },
    onNotify: (listener) =>
      sound.onNotify(() => {
        try {
          listener()
        } catch (error) {
          failure = error
        }
      }),
  }
}
