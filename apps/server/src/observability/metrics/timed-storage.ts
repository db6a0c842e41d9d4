import type { Storage } from '@sales-crm/core/ports'
import { instrumentStorage, type TransactionKind } from '../instrumented-storage.ts'

/** The same storage; `took` is told of each transaction that is over, whatever came of it. */
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
