import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Connection } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { createConnection } from './file-connection.ts'
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
  readonly inode: bigint
  readonly writer: FileConnection
  readonly reader: FileConnection
}

export interface DatabaseFiles {
  /** @throws Error when the file is missing or cannot be reopened */
  writer(): FileConnection
  reader(): FileConnection
  /** Reopens both connections at their next use if the error is a fault of the disk or the file. */
  noteError(error: unknown): void
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

/** One connection that writes and one that reads, reopened when the path names another file. */
export function openDatabaseFiles(path: string): DatabaseFiles {
  let current: OpenFile | undefined = openConnections(path)
  let isReopenNeeded = false
  let checkedAt = Number.NEGATIVE_INFINITY
  let damage: { readonly error: Error; readonly inode: bigint | undefined } | undefined

  function ensureHealthy(): OpenFile {
    const inode = readInode(path)
    if (inode !== damage?.inode) damage = undefined
    if (isReopenNeeded || (current && inode !== current.inode)) closeAll()
    if (inode === undefined) throw new Error(`The database ${path} is gone.`)
    current ??= openConnections(path)
    checkedAt = performance.now()
    return current
  }

  function closeAll(): void {
    current?.reader.db.close()
    current?.writer.db.close()
    current = undefined
    isReopenNeeded = false
  }

  return {
    writer: () => ensureHealthy().writer,
    reader() {
      const isFresh =
        current !== undefined && !isReopenNeeded && performance.now() - checkedAt < STAT_CACHE_MS
      return isFresh ? current!.reader : ensureHealthy().reader
    },
    noteError(error) {
      if (!(error instanceof Database.SqliteError)) return
      isReopenNeeded ||= REOPEN_CODES.test(error.code)
      if (CORRUPTION_CODES.test(error.code)) damage ??= { error, inode: current?.inode }
    },
    damage: () => damage?.error,
    freeBytes() {
      const { bavail, bsize } = statfsSync(dirname(path))
      return bavail * bsize
    },
    close: closeAll,
  }
}

function openConnections(path: string): OpenFile {
  const writer = createFileConnection(openWriter(path))
  // From here on the writer waits for locks without blocking the event loop.
  writer.db.pragma('busy_timeout = 0')
  // Rollback journals of savepoints and statements stay in memory: in a file they cost more than the change.
  writer.db.pragma('temp_store = MEMORY')
  return { writer, reader: createFileConnection(openReader(path)), inode: readInode(path)! }
}

function readInode(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino
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
