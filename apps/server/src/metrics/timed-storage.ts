import type { Storage } from '@sales-crm/core/ports'
import { type TransactionKind, watchedStorage } from '../watched-storage.ts'

/** The same storage; `took` is told of each transaction that is over, whatever came of it. */
export function timedStorage(storage: Storage, took: (kind: TransactionKind, seconds: number) => void): Storage {
  return watchedStorage(storage, async (kind, run) => {
    const began = performance.now()
    try {
      return await run()
    } finally {
      took(kind, (performance.now() - began) / 1000)
    }
  })
}
