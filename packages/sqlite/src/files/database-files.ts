import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import type { FileConnection } from './file-connection.ts'
import { type FileIdentity, isSameFile, readStats } from './log-files.ts'
import { logEmptiedError, replacementNotice, saveLog } from './log-loss.ts'
import { type OpenConnections, openConnections } from './open-connections.ts'
import { MAX_LOG_PAGES } from './open-file.ts'

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
 * The connections to a database, reopened when the path names another file. A log that was removed or replaced
 * is saved through the connections that have it open.
 */
export class DatabaseFiles {
  readonly #path: string
  readonly #onWarning: (message: string) => void
  #current: OpenConnections | undefined
  #isReopenNeeded = false
  #checkedAt = Number.NEGATIVE_INFINITY
  #damage: { readonly error: Error; readonly identity: FileIdentity | undefined } | undefined
  /** The closed file that the path named before. A log at the path may still be that of this file. */
  #detached: { readonly identity: FileIdentity; readonly log: FileIdentity } | undefined
  /** Set once the log was emptied. It stays until another file takes the place of the database. */
  #emptiedError: Error | undefined

  /** @param onWarning receives one line for the operator about what was found and done */
  constructor(path: string, onWarning: (message: string) => void = () => {}) {
    this.#path = path
    this.#onWarning = onWarning
    this.#current = openConnections(path)
  }

  /** @throws Error when the file is missing or cannot be reopened */
  writer(): FileConnection {
    return this.#ensureHealthy().writer
  }

  /** @throws Error as `writer` */
  reader(): FileConnection {
    const isFresh =
      this.#current !== undefined &&
      !this.#isReopenNeeded &&
      performance.now() - this.#checkedAt < STAT_CACHE_MS
    return isFresh ? this.#current!.reader : this.#ensureHealthy().reader
  }

  /** Reopens both connections if the path names another file. Must precede opening others on the path. */
  assertCurrent(): void {
    this.#ensureHealthy()
  }

  /** Reopens both connections at their next use if the error is a fault of the disk or the file. */
  noteError(error: unknown): void {
    if (!(error instanceof Database.SqliteError)) return
    this.#isReopenNeeded ||= REOPEN_CODES.test(error.code)
    if (CORRUPTION_CODES.test(error.code)) this.#damage ??= { error, identity: this.#current?.identity }
  }

  /**
   * Must be called after each commit and before its acknowledgment.
   * @throws Error when the log with the commit is not at its path and its content could not be saved
   */
  assertLogKept(): void {
    if (this.#emptiedError) throw this.#emptiedError
    // A transaction of the writer is checked at its commit.
    if (!this.#current || this.#current.writer.db.inTransaction) return
    const { log, realPath } = this.#current
    const loss = log.loss()
    if (!loss) return
    this.#checkedAt = Number.NEGATIVE_INFINITY
    if (loss === 'emptied') {
      log.discard()
      this.#emptiedError = logEmptiedError(realPath)
      throw this.#emptiedError
    }
    this.#onWarning(saveLog(this.#current, loss))
    this.#closeConnections()
  }

  /** True if the log is due to be copied to the database. */
  isLogLong(): boolean {
    return (this.#current?.log.countPages() ?? 0) >= MAX_LOG_PAGES
  }

  /** Copies what no reader needs in the log to the database. Must not be called in a transaction of the writer. */
  checkpoint(): void {
    // A checkpoint of an emptied log copies zeros.
    this.assertLogKept()
    this.#current?.writer.db.pragma('wal_checkpoint(PASSIVE)')
  }

  /** @throws Error when the disk was remounted read-only, which no write may have met yet */
  assertDiskWritable(): void {
    if (!this.#ensureHealthy().log.isDiskReadOnly()) return
    throw new Error(
      `The disk of the database ${this.#path} is read-only. Check the disk, and mount it writable.`,
    )
  }

  /** The error that showed the file to be damaged. It stays until another file takes its place. */
  damage(): Error | undefined {
    return this.#damage?.error
  }

  /** Free bytes on the disk. */
  freeBytes(): number {
    const { bavail, bsize } = statfsSync(dirname(this.#path))
    return bavail * bsize
  }

  close(): void {
    try {
      this.assertLogKept()
    } catch (error) {
      this.#onWarning((error as Error).message)
    } finally {
      this.#closeConnections()
    }
  }

  #ensureHealthy(): OpenConnections {
    const identity = readStats(this.#path)
    if (!isSameFile(identity, this.#damage?.identity)) this.#damage = undefined
    if (this.#current && !isSameFile(identity, this.#current.identity)) this.#detach(this.#current)
    if (identity === undefined) throw new Error(`The database ${this.#path} is gone.`)
    this.assertLogKept()
    if (this.#isReopenNeeded) this.#closeConnections()
    this.#current ??= this.#reopen(identity)
    this.#checkedAt = performance.now()
    return this.#current
  }

  #reopen(identity: FileIdentity): OpenConnections {
    if (this.#detached && !isSameFile(identity, this.#detached.identity))
      this.#onWarning(replacementNotice(this.#path, this.#detached.log))
    this.#detached = undefined
    return openConnections(this.#path)
  }

  /** Closes a file that the path no longer names. It may have another name now, so its log is copied into it. */
  #detach({ log, writer, identity }: OpenConnections): void {
    try {
      if (log.loss() !== 'emptied') writer.db.pragma('wal_checkpoint(FULL)')
    } catch {
      // The log stays as it is.
    }
    this.#detached = { identity, log: log.identity }
    this.#closeConnections()
  }

  #closeConnections(): void {
    this.#current?.reader.db.close()
    this.#current?.writer.db.close()
    this.#current?.log.close()
    this.#current = undefined
    this.#isReopenNeeded = false
    this.#emptiedError = undefined
  }
}
