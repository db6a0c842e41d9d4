import { realpathSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Connection } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { createConnection } from './file-connection.ts'
import {
  discardLog,
  type FileIdentity,
  isSameFile,
  type LogFiles,
  type LogLoss,
  openLogFiles,
  readStats,
} from './log-files.ts'
import { openReader, openWriter } from './open-file.ts'

/** A connection, its prepared statements, and the statements that begin and end its transactions. */
export interface FileConnection {
  readonly db: Database.Database
  readonly connection: Omit<Connection, 'savepoint'>
  readonly execute: (text: TransactionStep) => void
  /** Sets whether commits wait for the disk; initially they do. Must not be called in a transaction. */
  readonly setSynchronous: (isFull: boolean) => void
}

type TransactionStep =
  | 'begin'
  | 'begin immediate'
  | 'commit'
  | 'rollback'
  | `${'savepoint' | 'release' | 'rollback to'} ${'job' | 'part'}`

interface OpenFile {
  readonly identity: FileIdentity
  /** The path without symbolic links, from which SQLite derives the name of the log. */
  readonly realPath: string
  readonly log: LogFiles
  readonly writer: FileConnection
  readonly reader: FileConnection
}

export interface DatabaseFiles {
  /** @throws Error when the file is missing or cannot be reopened */
  writer(): FileConnection
  reader(): FileConnection
  /** Reopens both connections if the path names another file. Must precede opening others on the path. */
  assertCurrent(): void
  /** Reopens both connections at their next use if the error is a fault of the disk or the file. */
  noteError(error: unknown): void
  /**
   * Must be called after each commit and before its acknowledgment.
   * @throws Error when the log with the commit is not at its path and its content could not be saved
   */
  assertLogKept(): void
  /** @throws Error when the disk was remounted read-only, which no write may have met yet */
  assertDiskWritable(): void
  /** The error that showed the file to be damaged. It stays until another file takes its place. */
  damage(): Error | undefined
  /** Free bytes on the disk. */
  freeBytes(): number
  close(): void
}

/**
 * Errors after which a connection's cached state of the file may be wrong. A failed write or fsync is
 * excluded: the open connections know that the transaction was not committed, while a new one could find it
 * in the log and take it for committed.
 */
const REOPEN_CODES = /^SQLITE_(IOERR(?!_(WRITE|(DIR_)?FSYNC|TRUNCATE)$)|CORRUPT|NOTADB|CANTOPEN|READONLY)/

const CORRUPTION_CODES = /^SQLITE_(CORRUPT|NOTADB)/

/**
 * How long a reader trusts that the path still names its open file. A `stat` for each read costs more than
 * the read.
 */
const STAT_CACHE_MS = 5

/**
 * One connection that writes and one that reads, reopened when the path names another file. A log that was
 * removed or replaced is saved through the connections that have it open.
 * @param onNotice receives one line for the operator about what was found and done
 */
export function openDatabaseFiles(
  path: string,
  onNotice: (message: string) => void = () => {},
): DatabaseFiles {
  let current: OpenFile | undefined = openConnections(path)
  let isReopenNeeded = false
  let checkedAt = Number.NEGATIVE_INFINITY
  let damage: { readonly error: Error; readonly identity: FileIdentity | undefined } | undefined
  /** The closed file that the path named before. A log at the path may still be that of this file. */
  let detached: { readonly identity: FileIdentity; readonly log: FileIdentity } | undefined
  /** Set once the log was emptied. It stays until another file takes the place of the database. */
  let emptiedError: Error | undefined

  function ensureHealthy(): OpenFile {
    const identity = readStats(path)
    if (!isSameFile(identity, damage?.identity)) damage = undefined
    if (current && !isSameFile(identity, current.identity)) detach(current)
    if (identity === undefined) throw new Error(`The database ${path} is gone.`)
    assertLogKept()
    if (isReopenNeeded) closeAll()
    if (!current) {
      if (detached && !isSameFile(identity, detached.identity))
        onNotice(replacementNotice(path, detached.log))
      detached = undefined
      current = openConnections(path)
    }
    checkedAt = performance.now()
    return current
  }

  /** Closes a file that the path no longer names. It may have another name now, so its log is copied into it. */
  function detach(open: OpenFile): void {
    try {
      if (open.log.loss() !== 'emptied') open.writer.db.pragma('wal_checkpoint(FULL)')
    } catch {
      // The log stays as it is.
    }
    detached = { identity: open.identity, log: open.log.identity }
    closeAll()
  }

  function assertLogKept(): void {
    if (emptiedError) throw emptiedError
    // A transaction of the writer is checked at its commit.
    if (!current || current.writer.db.inTransaction) return
    const loss = current.log.loss()
    if (loss) checkedAt = Number.NEGATIVE_INFINITY
    if (loss === 'emptied') {
      discardLog(current.realPath, current.log)
      emptiedError = logEmptiedError(current.realPath)
      throw emptiedError
    }
    if (loss) {
      onNotice(saveLog(current, loss))
      closeAll()
    }
  }

  function closeAll(): void {
    current?.reader.db.close()
    current?.writer.db.close()
    current?.log.close()
    current = undefined
    isReopenNeeded = false
    emptiedError = undefined
  }

  return {
    writer: () => ensureHealthy().writer,
    reader() {
      const isFresh =
        current !== undefined && !isReopenNeeded && performance.now() - checkedAt < STAT_CACHE_MS
      return isFresh ? current!.reader : ensureHealthy().reader
    },
    assertCurrent() {
      ensureHealthy()
    },
    noteError(error) {
      if (!(error instanceof Database.SqliteError)) return
      isReopenNeeded ||= REOPEN_CODES.test(error.code)
      if (CORRUPTION_CODES.test(error.code)) damage ??= { error, identity: current?.identity }
    },
    assertLogKept,
    assertDiskWritable() {
      if (ensureHealthy().log.isDiskReadOnly())
        throw new Error(
          `The disk of the database ${path} is read-only. Check the disk, and mount it writable.`,
        )
    },
    damage: () => damage?.error,
    freeBytes() {
      const { bavail, bsize } = statfsSync(dirname(path))
      return bavail * bsize
    },
    close() {
      try {
        assertLogKept()
      } catch (error) {
        onNotice((error as Error).message)
      } finally {
        closeAll()
      }
    },
  }
}

function openConnections(path: string): OpenFile {
  const writer = createFileConnection(openWriter(path))
  let log: LogFiles | undefined
  try {
    // From here on the writer waits for locks without blocking the event loop.
    writer.db.pragma('busy_timeout = 0')
    // Rollback journals of savepoints and statements stay in memory: in a file they cost more than the change.
    writer.db.pragma('temp_store = MEMORY')
    const realPath = realpathSync(path)
    log = openLogFiles(realPath, writer.db)
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

/**
 * Copies the whole log into the database file and moves a file in its place aside.
 * @returns a line for the operator
 * @throws Error when another connection still reads from the log
 */
function saveLog({ reader, writer, realPath }: OpenFile, loss: LogLoss): string {
  const lost = `The log ${realPath}-wal was removed or replaced while in use`
  // The reader would hold up the checkpoint; nothing can be read from the log after it.
  reader.db.close()
  const [state] = writer.db.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[]
  if (state!.busy !== 0)
    throw new Error(`${lost}, and its content cannot be saved yet, because another process reads from it.`)
  const stray = loss === 'replaced' ? ` The file in its place is now ${moveLogAside(realPath)}.` : ''
  return `${lost}. Its content was saved in ${realPath}.${stray} Find out what removed it.`
}

/**
 * Moves the log of an earlier file aside: SQLite would apply it to the file that took its place.
 * @returns a line for the operator
 */
function replacementNotice(path: string, earlierLog: FileIdentity): string {
  const realPath = realpathSync(path)
  const notice = `Another file was put in the place of ${path} and is served now.`
  if (!isSameFile(readStats(`${realPath}-wal`), earlierLog)) return notice
  const stray = moveLogAside(realPath)
  rmSync(`${realPath}-shm`, { force: true })
  return `${notice} The log of the earlier file is ${stray}. Stop the service before replacing a file.`
}

/** Returns the new path. SQLite never reads it. */
function moveLogAside(realPath: string): string {
  const stray = `${realPath}-wal.stray-${new Date().toISOString().replaceAll(':', '')}`
  renameSync(`${realPath}-wal`, stray)
  return stray
}

function logEmptiedError(realPath: string): Error {
  return new Error(
    `The log ${realPath}-wal was emptied by another program: the writes since the last checkpoint are lost. ` +
      'Stop the service. Then restore a backup, or start it to go on without these writes.',
  )
}

function createFileConnection(db: Database.Database): FileConnection {
  const statements = new Map<string, Database.Statement>()
  let isSynchronousFull = true
  return {
    db,
    connection: createConnection(db),
    execute(text) {
      let statement = statements.get(text)
      if (!statement) {
        statement = db.prepare(text)
        statements.set(text, statement)
      }
      statement.run()
    },
    setSynchronous(isFull) {
      if (isFull === isSynchronousFull) return
      // If the pragma fails, commits may wait needlessly, but none skips a required wait.
      isSynchronousFull = false
      db.pragma(`synchronous = ${isFull ? 'FULL' : 'NORMAL'}`)
      isSynchronousFull = isFull
    },
  }
}
