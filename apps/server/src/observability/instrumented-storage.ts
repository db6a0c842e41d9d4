import type { Storage } from '@sales-crm/core/ports'

export type TransactionKind = 'transact' | 'unsynced' | 'read' | 'survey'

/** Does what it is given, and gives what comes of it. */
export type TransactionWrapper = <T>(kind: TransactionKind, run: () => Promise<T>) => Promise<T>

/** The same storage, each of whose transactions is done within `around`. */
export function instrumentStorage(storage: Storage, wrap: TransactionWrapper): Storage {
  return {
    ...storage,
    transact: (work, options) =>
      wrap(options?.durability === 'relaxed' ? 'unsynced' : 'transact', () =>
        storage.transact(work, options),
      ),
    read: (work, options) =>
      wrap(options?.workload === 'report' ? 'survey' : 'read', () => storage.read(work, options)),
  }
}
