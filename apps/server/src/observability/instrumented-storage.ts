import type { Storage } from '@sales-crm/core/ports'

export type TransactionKind = 'transact' | 'unsynced' | 'read' | 'survey'

/** Does what it is given, and gives what comes of it. */
export type TransactionWrapper = <T>(kind: TransactionKind, run: () => Promise<T>) => Promise<T>

/** The same storage, each of whose transactions is done within `around`. */
export function instrumentStorage(storage: Storage, wrap: TransactionWrapper): Storage {
  return {
    ...storage,
    transact: (work) => wrap('transact', () => storage.transact(work)),
    transactRelaxed: (work) => wrap('unsynced', () => storage.transactRelaxed(work)),
    read: (work) => wrap('read', () => storage.read(work)),
    readStatement: (work) => wrap('read', () => storage.readStatement(work)),
    readReport: (work) => wrap('survey', () => storage.readReport(work)),
  }
}
