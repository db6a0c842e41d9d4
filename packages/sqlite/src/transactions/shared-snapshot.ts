import type { Connection, Row } from '@sales-crm/sql'
import type { DatabaseFiles, FileConnection } from '../files/database-files.ts'
import { createSerialQueue } from './serial-queue.ts'

/** A line in a transaction that only reads. */
interface Snapshot {
  readonly reader: FileConnection
  readonly query: Connection['query']
}

/**
 * Reads one after another. Those of one turn of the event loop share a transaction, which costs more to begin
 * and to end than a record does to read; but none sees less than was committed here before it began. What
 * another process commits is seen from the next turn on.
 */
export function createSharedSnapshot(files: Pick<DatabaseFiles, 'reader' | 'noteError'>) {
  const runInTurn = createSerialQueue()
  /** Whose transaction is open, or was when it last was looked at. */
  let snapshot: Snapshot | undefined
  let isReading = false
  /** The next read is to have a transaction of its own. */
  let isOver = false

  function beginRead(): Snapshot {
    const reader = files.reader()
    if (reader !== snapshot?.reader || !reader.db.inTransaction) {
      closeSnapshot()
      reader.execute('begin')
      snapshot = { reader, query: cacheLookups(reader.connection) }
      setImmediate(endSnapshot)
    }
    isReading = true
    return snapshot
  }

  /** To be called before anything is committed: no later read may go on with what was there before. */
  function endSnapshot(): void {
    isOver = true
    if (!isReading) closeSnapshot()
  }

  function closeSnapshot(): void {
    const reader = snapshot?.reader
    snapshot = undefined
    isOver = false
    if (reader?.db.open && reader.db.inTransaction) reader.execute('commit')
  }

  function read<T>(work: (reader: FileConnection, query: Connection['query']) => Promise<T>): Promise<T> {
    return runInTurn(async () => {
      const { reader, query } = beginRead()
      try {
        return await work(reader, query)
      } catch (error) {
        isOver = true
        files.noteError(error)
        throw error
      } finally {
        isReading = false
        if (isOver) closeSnapshot()
      }
    })
  }

  return { read, end: endSnapshot, waitUntilIdle: () => runInTurn(async () => undefined) }
}

/**
 * What is looked up by its keys is looked up once: all calls of one app ask for its grant, and all of a
 * workspace for its settings.
 */
function cacheLookups({ query }: Pick<Connection, 'query'>): Connection['query'] {
  const results = new Map<string, Promise<readonly Row[]>>()
  return (statement, values) => {
    if (!statement.isKeyLookup) return query(statement, values)
    const key = `${statement.name} ${values.join(' ')}`
    let result = results.get(key)
    if (!result) {
      result = query(statement, values)
      results.set(key, result)
    }
    return result
  }
}
