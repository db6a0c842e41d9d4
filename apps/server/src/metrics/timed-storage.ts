import type { Storage } from '@sales-crm/core/ports'

export type TransactionKind = 'transact' | 'unsynced' | 'read'

/** The same storage; `took` is told of each transaction that is over, whatever came of it. */
export function timedStorage(storage: Storage, took: (kind: TransactionKind, seconds: number) => void): Storage {
  function timed(kind: TransactionKind, run: Storage['transact']): Storage['transact'] {
    return async (work) => {
      const began = performance.now()
      try {
        return await run(work)
      } finally {
        took(kind, (performance.now() - began) / 1000)
      }
    }
  }
  return {
    ...storage,
    transact: timed('transact', storage.transact),
    transactUnsynced: timed('unsynced', storage.transactUnsynced),
    read: timed('read', storage.read),
  }
}
