import type { Connection } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import type { FileConnection } from '../files/file-connection.ts'

/** Faults of the disk, the file or the memory, after which no write of the transaction may be committed. */
const FATAL_CODES = /^SQLITE_(FULL|IOERR|CORRUPT|NOTADB|NOMEM|CANTOPEN|READONLY|PROTOCOL|INTERNAL)/

/** Adds savepoints to a connection. */
export function withSavepoints({ execute, db, connection }: FileConnection) {
  let fatalError: unknown

  async function savepoint<T>(work: () => Promise<T>): Promise<T> {
    // Outside a transaction, a savepoint would begin one and its release would commit.
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
    /** @throws the error that ended the transaction, if the work caught it */
    throwIfFailed(): void {
      if (fatalError !== undefined) throw fatalError
    },
  }
}

function isFatal(error: unknown): boolean {
  return error instanceof Database.SqliteError && FATAL_CODES.test(error.code)
}
