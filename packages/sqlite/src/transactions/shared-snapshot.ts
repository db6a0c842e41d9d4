import type { Connection, Row } from '@sales-crm/sql'
import type { DatabaseFiles } from '../files/database-files.ts'
import type { FileConnection } from '../files/file-connection.ts'
import { createSerialQueue } from './serial-queue.ts'

/** A connection in a read transaction. */
interface Snapshot {
  readonly reader: FileConnection
  readonly query: Connection['query']
}

/**
 * Runs reads one at a time. Reads of one event loop turn share a transaction, because beginning and ending
 * one costs more than reading a record. Each sees every earlier commit of this process; commits of other
 * processes are visible from the next turn.
 */
export function createSharedSnapshot(files: Pick<DatabaseFiles, 'reader' | 'noteError'>) {
  const runInTurn = createSerialQueue()
  /** The open transaction, or the last one. */
  let snapshot: Snapshot | undefined
  let isReading = false
  /** Whether the next read must begin a new transaction. */
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

  /** Ends the snapshot. Must be called before each commit, so later reads see it. */
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
 * Caches key lookups within a snapshot: all calls of an app look up its grant, and all of a workspace its
 * settings.
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
