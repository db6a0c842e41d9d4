import { type BigIntStats, closeSync, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs'
import Database from 'better-sqlite3'

export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>

/** What happened to the log of an open database. */
export type LogLoss = 'removed' | 'replaced' | 'emptied'

/** Numbers of frames: one is a page as a transaction wrote it. */
interface LogState {
  readonly log: number
  /** Those that a checkpoint has copied to the database. */
  readonly checkpointed: number
}

/** Sizes of the log's header and of the header of each frame, which precedes a page. */
const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** The first bytes of a log; the last bit states the byte order of its checksums. */
const MAGIC = 0x377f0682

/** The write-ahead log and its index, as the connections have them open. */
export class LogFiles {
  readonly identity: FileIdentity
  readonly #logPath: string
  readonly #indexPath: string
  readonly #descriptor: number
  readonly #indexIdentity: FileIdentity | undefined
  readonly #state: Database.Statement<[], LogState>
  readonly #frameBytes: number
  /** The largest size seen: SQLite reuses a log without shortening it. */
  #knownBytes = Number.POSITIVE_INFINITY

  /**
   * @param path without symbolic links, because SQLite names the log after the resolved path
   * @param writer a connection to it
   */
  constructor(path: string, writer: Database.Database) {
    this.#logPath = `${path}-wal`
    this.#indexPath = `${path}-shm`
    this.#state = writer.prepare('pragma wal_checkpoint(NOOP)')
    this.#frameBytes = FRAME_HEADER_BYTES + Number(writer.pragma('page_size', { simple: true }))
    this.#descriptor = openSync(this.#logPath, 'r')
    this.identity = fstatSync(this.#descriptor, { bigint: true })
    // The index is never opened: closing it would release the locks of this process on it.
    this.#indexIdentity = readStats(this.#indexPath)
  }

  /**
   * Compares the files at their paths with the open ones. `removed` also stands for an empty file in place of
   * the log, which a new connection creates. Must not be called in a transaction of the writer.
   */
  loss(): LogLoss | undefined {
    if (this.#isEmptied()) return 'emptied'
    const log = readStats(this.#logPath)
    if (!isSameFile(log, this.identity)) return log && log.size > 0n ? 'replaced' : 'removed'
    return isSameFile(readStats(this.#indexPath), this.#indexIdentity) ? undefined : 'removed'
  }

  /**
   * Tells whether the disk was remounted read-only. Only opening a file for writing shows that: `access`
   * succeeds after an error of the disk, and so does a transaction until its commit.
   */
  isDiskReadOnly(): boolean {
    try {
      closeSync(openSync(this.#logPath, 'r+'))
      return false
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EROFS'
    }
  }

  /**
   * Empties what is left of an emptied log. A checkpoint would otherwise copy the zeros before later frames
   * over the pages of the database; without any frame it fails and changes nothing.
   */
  discard(): void {
    if (isSameFile(readStats(this.#logPath), this.identity)) truncateSync(this.#logPath)
  }

  /** Number of pages that no checkpoint has copied to the database yet. */
  countPages(): number {
    const { log, checkpointed } = this.#readState()
    return log - checkpointed
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  /** Another process may have shortened the log by a checkpoint, after which the index lists no frames. */
  #isEmptied(): boolean {
    const bytes = this.#readBytes()
    if ((bytes < this.#knownBytes || (bytes > 0 && !this.#hasHeader())) && this.#lacksFrames()) return true
    this.#knownBytes = bytes
    return false
  }

  /**
   * The frames are counted before the size is read, for another process may append meanwhile; and once more after
   * it, for one may have shortened the log.
   */
  #lacksFrames(): boolean {
    const frames = this.#readState().log
    const isComplete = this.#readBytes() >= HEADER_BYTES + frames * this.#frameBytes && this.#hasHeader()
    return frames > 0 && !isComplete && this.#readState().log === frames
  }

  /** Counts what the index lists. A read-only file has no frames: it is never written. */
  #readState(): LogState {
    try {
      return this.#state.get()!
    } catch (error) {
      if (error instanceof Database.SqliteError && error.code === 'SQLITE_READONLY')
        return { log: 0, checkpointed: 0 }
      throw error
    }
  }

  #readBytes(): number {
    return fstatSync(this.#descriptor).size
  }

  #hasHeader(): boolean {
    const header = Buffer.alloc(4)
    return readSync(this.#descriptor, header, 0, 4, 0) === 4 && (header.readUInt32BE() & ~1) === MAGIC
  }
}

export function readStats(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

export function isSameFile(a: FileIdentity | undefined, b: FileIdentity | undefined): boolean {
  return a?.ino === b?.ino && a?.dev === b?.dev
}
