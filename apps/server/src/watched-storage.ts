import type { Storage } from '@sales-crm/core/ports'

export type TransactionKind = 'transact' | 'unsynced' | 'read' | 'survey'

/** Does what it is given, and gives what comes of it. */
export type Around = <T>(kind: TransactionKind, run: () => Promise<T>) => Promise<T>

/** The same storage, each of whose transactions is done within `around`. */
export function watchedStorage(storage: Storage, around: Around): Storage {
  return {
    ...storage,
    transact: (work) => around('transact', () => storage.transact(work)),
    transactUnsynced: (work) => around('unsynced', () => storage.transactUnsynced(work)),
    read: (work) => around('read', () => storage.read(work)),
    glance: (work) => around('read', () => storage.glance(work)),
    survey: (work) => around('survey', () => storage.survey(work)),
  }
}
