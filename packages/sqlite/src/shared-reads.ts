import type { Files, Line } from './files.ts'
import { inTurn } from './in-turn.ts'

/**
 * Reads one after another. Those of one turn of the event loop share a transaction, which costs more to begin and to end than a record
 * does to read; but none sees less than was committed here before it began. What another process commits is seen from the next turn on.
 */
export function sharedReads(files: Pick<Files, 'reader' | 'note'>) {
  const readInTurn = inTurn()
  /** Whose transaction is open, or was when it last was looked at. */
  let shared: Line | undefined
  let isReading = false
  /** The next read is to have a transaction of its own. */
  let isOver = false

  function begin(): Line {
    const line = files.reader()
    if (line !== shared || !line.file.inTransaction) {
      close()
      line.run('begin')
      shared = line
      setImmediate(end)
    }
    isReading = true
    return line
  }

  /** To be called before anything is committed: no later read may go on with what was there before. */
  function end(): void {
    isOver = true
    if (!isReading) close()
  }

  function close(): void {
    const line = shared
    shared = undefined
    isOver = false
    if (line?.file.open && line.file.inTransaction) line.run('commit')
  }

  function read<T>(work: (line: Line) => Promise<T>): Promise<T> {
    return readInTurn(async () => {
      const line = begin()
      try {
        return await work(line)
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
