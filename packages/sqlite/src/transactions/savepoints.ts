import type { Connection } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import type { FileConnection } from '../files/database-files.ts'

/**
 * Faults of the disk, the file or the memory: nothing that is written before or after them in the same
 * transaction may stay.
 */
const FATAL_CODES = /^SQLITE_(FULL|IOERR|CORRUPT|NOTADB|NOMEM|CANTOPEN|READONLY|PROTOCOL|INTERNAL)/

/** The line with parts that may fail alone, each a savepoint of the transaction it is in. */
export function withSavepoints({ execute, db, connection }: FileConnection) {
  let fatalError: unknown

  async function savepoint<T>(work: () => Promise<T>): Promise<T> {
    // A savepoint outside of a transaction begins one, and its release commits.
    if (!db.inTransaction) throw new Error('The transaction has failed.')
    execute('savepoint part')
    try {
      const result = await work()
      execute('release part')
      return result
    } catch (error) {
      if (isFatal(error) && db.inTransaction) execute('rollback')
      if (!db.inTransaction) {
        fatalError = error
        throw error
      }
      execute('rollback to part')
      execute('release part')
      throw error
    }
  }

  return {
    connection: { ...connection, savepoint } satisfies Connection,
    /** @throws what ended the whole transaction, should the work have gone on in spite of it */
    throwIfFailed(): void {
      if (fatalError !== undefined) throw fatalError
    },
  }
}

function isFatal(error: unknown): boolean {
  return error instanceof Database.SqliteError && FATAL_CODES.test(error.code)
}
