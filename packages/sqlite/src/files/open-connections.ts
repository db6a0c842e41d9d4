import { realpathSync } from 'node:fs'
import { createFileConnection, type FileConnection } from './file-connection.ts'
import { type FileIdentity, LogFiles, readStats } from './log-files.ts'
import { logEmptiedError } from './log-loss.ts'
import { openReader, openWriter } from './open-file.ts'

/** One connection that writes and one that reads, and the log that both have open. */
export interface OpenConnections {
  readonly identity: FileIdentity
  /** The path without symbolic links, from which SQLite derives the name of the log. */
  readonly realPath: string
  readonly log: LogFiles
  readonly writer: FileConnection
  readonly reader: FileConnection
}

/** @throws Error of one line, also when the log was emptied */
export function openConnections(path: string): OpenConnections {
  const writer = createFileConnection(openWriter(path))
  let log: LogFiles | undefined
  try {
    // From here on the writer waits for locks without blocking the event loop.
    writer.db.pragma('busy_timeout = 0')
    // `GroupCommit` makes the checkpoints, between two transactions.
    writer.db.pragma('wal_autocheckpoint = 0')
    // Rollback journals of savepoints and statements stay in memory: in a file they cost more than the change.
    writer.db.pragma('temp_store = MEMORY')
    const realPath = realpathSync(path)
    log = new LogFiles(realPath, writer.db)
    if (log.loss() === 'emptied') throw logEmptiedError(realPath)
    return {
      writer,
      reader: createFileConnection(openReader(path)),
      identity: readStats(path)!,
      realPath,
      log,
    }
  } catch (error) {
    log?.close()
    writer.db.close()
    throw error
  }
}
