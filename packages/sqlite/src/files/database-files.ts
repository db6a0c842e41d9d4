import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Connection } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { createConnection } from './file-connection.ts'
import { openReader, openWriter } from './open-file.ts'

/** A connection, its prepared statements, and how its transactions begin and end. */
export interface FileConnection {
  readonly db: Database.Database
  readonly connection: Omit<Connection, 'savepoint'>
  readonly execute: (text: TransactionStep) => void
  /** Whether commits wait for the disk, as they do at first. Not within a transaction. */
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
  /** @throws Error when the file is gone or cannot be opened again */
  writer(): FileConnection
  reader(): FileConnection
  /** After a fault of the disk or the file, both connections are opened anew when they are next asked for. */
  noteError(error: unknown): void
  /**
   * The failure that showed the file to be damaged. It does not get well by itself: only another file in its
   * place does away with that.
   */
  damage(): Error | undefined
  /** How many bytes are left on the disk. */
  freeBytes(): number
  close(): void
}

/**
 * After these, what a connection remembers of the file may be wrong. Not after a write or an fsync that
 * failed: the connections know that it was never committed, while those opened anew would find it in the log
 * and take it for committed.
 */
const REOPEN_CODES = /^SQLITE_(IOERR(?!_(WRITE|(DIR_)?FSYNC|TRUNCATE)$)|CORRUPT|NOTADB|CANTOPEN|READONLY)/

const CORRUPTION_CODES = /^SQLITE_(CORRUPT|NOTADB)/

/**
 * For so long a reader believes that the file under the path is the one it has open. To look each time costs
 * more than to read a record.
 */
const STAT_CACHE_MS = 5

/** One connection that writes and one that reads, opened again when the file under the path is another. */
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
  // From here on the writer waits without holding up the event loop.
  writer.db.pragma('busy_timeout = 0')
  // What a savepoint or a statement could take back is kept in memory: in a file it would cost more than the
  // change itself.
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
      // Should this fail, commits may wait needlessly, but none that must does not.
      isSynchronousFull = false
      db.pragma(`synchronous = ${isFull ? 'FULL' : 'NORMAL'}`)
      isSynchronousFull = isFull
    },
  }
}
