import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage, Transaction } from '@sales-crm/core/ports'
import type { Breakage } from './breakage.ts'
import { deferredStorage } from './deferred-storage.ts'

export const KEY_LOCK_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'One transaction at a time holds a key',
    breakage: '`lock` does not wait',
    noticedBy: 'key locks: one of twenty transactions that lock a key and find no record inserts it',
    open: () => deferredStorage({ lock: 'unlocked' }),
  },
  {
    guarantee: 'A key may be any text, and locked again',
    breakage: '`lock` rejects a key that the transaction holds',
    noticedBy: 'key locks: a transaction locks a key again, and other keys, of any text',
    open: () =>
      replaceLock((tx) => {
        const keys = new Set<string>()
        return async (key) => {
          if (keys.has(key)) throw new Error('The key is locked.')
          keys.add(key)
          await tx.lock(key)
        }
      }),
  },
  {
    guarantee: 'A read does not lock',
    breakage: '`lock` in a read resolves',
    noticedBy: 'key locks: a read rejects a lock, and so does a transaction after its end',
    open: () => replaceLock(() => async () => undefined),
  },
]

function replaceLock(createLock: (tx: Transaction) => Transaction['lock']): Storage {
  const storage = memoryStorage()
  const replace = (tx: Transaction): Transaction => ({ ...tx, lock: createLock(tx) })
  return {
    ...storage,
    transact: (work, options) => storage.transact((tx) => work(replace(tx)), options),
    read: (work, options) => storage.read((tx) => work(replace(tx)), options),
  }
}
