import type { Connection, Row } from '@sales-crm/sql'
import type { Files, Line } from './files.ts'
import { inTurn } from './in-turn.ts'

/** A line in a transaction that only reads. */
interface Shared {
  readonly line: Line
  readonly rows: Connection['rows']
}

/**
 * Reads one after another. Those of one turn of the event loop share a transaction, which costs more to begin and to end than a record
 * does to read; but none sees less than was committed here before it began. What another process commits is seen from the next turn on.
 */
export function sharedReads(files: Pick<Files, 'reader' | 'note'>) {
  const readInTurn = inTurn()
  /** Whose transaction is open, or was when it last was looked at. */
  let shared: Shared | undefined
  let isReading = false
  /** The next read is to have a transaction of its own. */
  let isOver = false

  function begin(): Shared {
    const line = files.reader()
    if (line !== shared?.line || !line.file.inTransaction) {
      close()
      line.run('begin')
      shared = { line, rows: remembering(line.connection) }
      setImmediate(end)
    }
    isReading = true
    return shared
  }

  /** To be called before anything is committed: no later read may go on with what was there before. */
  function end(): void {
    isOver = true
    if (!isReading) close()
  }

  function close(): void {
    const line = shared?.line
    shared = undefined
    isOver = false
    if (line?.file.open && line.file.inTransaction) line.run('commit')
  }

  function read<T>(work: (line: Line, rows: Connection['rows']) => Promise<T>): Promise<T> {
    return readInTurn(async () => {
      const { line, rows } = begin()
      try {
        return await work(line, rows)
      } catch (error) {
        isOver = true
        files.note(error)
        throw error
      } finally {
        isReading = false
        if (isOver) close()
      }
    })
  }

  return { read, end, idle: () => readInTurn(async () => undefined) }
}

/** What is looked up by its keys is looked up once: all calls of one app ask for its grant, and all of a workspace for its settings. */
function remembering({ rows }: Pick<Connection, 'rows'>): Connection['rows'] {
  const known = new Map<string, Promise<readonly Row[]>>()
  return (statement, values) => {
    if (!statement.looksUp) return rows(statement, values)
    const key = `${statement.name} ${values.join(' ')}`
    let found = known.get(key)
    if (!found) {
      found = rows(statement, values)
      known.set(key, found)
    }
    return found
  }
}
