import type { Storage } from '@sales-crm/core/ports'
import { instrumentStorage, type TransactionKind } from '../instrumented-storage.ts'

/** Wraps a storage so that `took` is called after each transaction, whether it succeeds or fails. */
export function timeStorage(
  storage: Storage,
  onComplete: (kind: TransactionKind, seconds: number) => void,
): Storage {
  return instrumentStorage(storage, async (kind, run) => {
    const startedAt = performance.now()
    try {
      return await run()
    } finally {
      onComplete(kind, (performance.now() - startedAt) / 1000)
    }
  })
}
