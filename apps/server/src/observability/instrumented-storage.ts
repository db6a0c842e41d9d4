import type { Storage } from '@sales-crm/core/ports'

export type TransactionKind = 'transact' | 'relaxed' | 'read' | 'report'

/** Runs a transaction and returns its result. */
export type TransactionWrapper = <T>(kind: TransactionKind, run: () => Promise<T>) => Promise<T>

/** Wraps a storage so that each transaction runs inside `around`. */
export function instrumentStorage(storage: Storage, wrap: TransactionWrapper): Storage {
  return {
    ...storage,
    transact: (work, options) =>
      wrap(options?.durability === 'relaxed' ? 'relaxed' : 'transact', () => storage.transact(work, options)),
    read: (work, options) =>
      wrap(options?.workload === 'report' ? 'report' : 'read', () => storage.read(work, options)),
  }
}
