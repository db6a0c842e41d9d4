import { type Connection, EntryBudget, LongReadError } from '@sales-crm/sql'
import type { DatabaseFiles } from '../files/database-files.ts'
import { createSerialQueue } from './serial-queue.ts'

/** Index entries that a read may visit on the event loop: about two milliseconds. */
const MAX_ENTRIES = 2000

/**
 * Runs reads one at a time, for they share a connection, each in a read transaction of its own: it sees one
 * snapshot, with every earlier commit.
 *
 * A read that would visit too many index entries rejects with `LongReadError`.
 */
export class SnapshotReads {
  readonly #files: Pick<DatabaseFiles, 'reader' | 'noteError'>
  readonly #runInTurn = createSerialQueue()

  constructor(files: Pick<DatabaseFiles, 'reader' | 'noteError'>) {
    this.#files = files
  }

  read<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#runInTurn(() => this.#runInTransaction(work))
  }

  async #runInTransaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const reader = this.#files.reader()
    reader.execute('begin')
    try {
      // A read writes nothing, so a savepoint has nothing to roll back.
      const entryBudget = new EntryBudget(MAX_ENTRIES)
      const { connection, readVersions } = reader
      return await work({ ...connection, readVersions, savepoint: (part) => part(), entryBudget })
    } catch (error) {
      if (!(error instanceof LongReadError)) this.#files.noteError(error)
      throw error
    } finally {
      if (reader.db.inTransaction) reader.execute('commit')
    }
  }
}
