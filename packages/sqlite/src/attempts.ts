import type { Connection } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import type { Line } from './files.ts'

/** Faults of the disk, the file or the memory: nothing that is written before or after them in the same transaction may stay. */
const ENDING = /^SQLITE_(FULL|IOERR|CORRUPT|NOTADB|NOMEM|CANTOPEN|READONLY|PROTOCOL|INTERNAL)/

/** The line with parts that may fail alone, each a savepoint of the transaction it is in. */
export function withAttempts({ run, file, connection }: Line) {
  let fault: unknown

  async function attempt<T>(part: () => Promise<T>): Promise<T> {
    // A savepoint outside of a transaction begins one, and its release commits.
    if (!file.inTransaction) throw new Error('The transaction has failed.')
    run('savepoint part')
    try {
      const result = await part()
      run('release part')
      return result
    } catch (error) {
      if (endsAll(error) && file.inTransaction) run('rollback')
      if (!file.inTransaction) {
        fault = error
        throw error
      }
      run('rollback to part')
      run('release part')
      throw error
    }
  }

  return {
    connection: { ...connection, attempt } satisfies Connection,
    /** @throws what ended the whole transaction, should the work have gone on in spite of it */
    mustBeSound(): void {
      if (fault !== undefined) throw fault
    },
  }
}

function endsAll(error: unknown): boolean {
  return error instanceof Database.SqliteError && ENDING.test(error.code)
}
