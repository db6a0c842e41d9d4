import { type BigIntStats, closeSync, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs'
import Database from 'better-sqlite3'

export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>

/** What happened to the log of an open database. */
export type LogLoss = 'removed' | 'replaced' | 'emptied'

/** The write-ahead log and its index, as the connections have them open. */
export interface LogFiles {
  readonly identity: FileIdentity
  /**
   * Compares the files at their paths with the open ones. `removed` also stands for an empty file in place of
   * the log, which a new connection creates. Must not be called in a transaction of the writer.
   */
  loss(): LogLoss | undefined
  /**
   * Tells whether the disk was remounted read-only. Only opening a file for writing shows that: `access`
   * succeeds after an error of the disk, and so does a transaction until its commit.
   */
  isDiskReadOnly(): boolean
  close(): void
}

/** Sizes of the log's header and of the header of each frame, which precedes a page. */
const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** The first bytes of a log; the last bit states the byte order of its checksums. */
const MAGIC = 0x377f0682

/**
 * @param path without symbolic links, because SQLite names the log after the resolved path
 * @param writer a connection to it
 */
export function openLogFiles(path: string, writer: Database.Database): LogFiles {
  const [logPath, indexPath] = [`${path}-wal`, `${path}-shm`]
  // The index is never opened: closing it would release the locks of this process on it.
  const descriptor = openSync(logPath, 'r')
  const identity = fstatSync(descriptor, { bigint: true })
  const indexIdentity = readStats(indexPath)
  const frameBytes = FRAME_HEADER_BYTES + Number(writer.pragma('page_size', { simple: true }))
  const header = Buffer.alloc(4)
  /** The largest size seen: SQLite reuses a log without shortening it. */
  let knownBytes = Number.POSITIVE_INFINITY

  function hasHeader(): boolean {
    return readSync(descriptor, header, 0, 4, 0) === 4 && (header.readUInt32BE() & ~1) === MAGIC
  }

  function readBytes(): number {
    return fstatSync(descriptor).size
  }

  /** Another process may have shortened the log by a checkpoint, after which the index lists no frames. */
  function isEmptied(): boolean {
    const bytes = readBytes()
    if ((bytes < knownBytes || (bytes > 0 && !hasHeader())) && lacksFrames()) return true
    knownBytes = bytes
    return false
  }

  /**
   * The frames are counted before the size is read, for another process may append meanwhile; and once more after
   * it, for one may have shortened the log.
   */
  function lacksFrames(): boolean {
    const frames = countFrames(writer)
    const isComplete = readBytes() >= HEADER_BYTES + frames * frameBytes && hasHeader()
    return frames > 0 && !isComplete && countFrames(writer) === frames
  }

  return {
    identity,
    loss() {
      if (isEmptied()) return 'emptied'
      const log = readStats(logPath)
      if (!isSameFile(log, identity)) return log && log.size > 0n ? 'replaced' : 'removed'
      return isSameFile(readStats(indexPath), indexIdentity) ? undefined : 'removed'
    },
    isDiskReadOnly() {
      try {
        closeSync(openSync(logPath, 'r+'))
        return false
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'EROFS'
      }
    },
    close: () => closeSync(descriptor),
  }
}

/** Returns the number of frames that the index lists; none for a read-only file, which is never written. */
function countFrames(db: Database.Database): number {
  try {
    const [state] = db.pragma('wal_checkpoint(NOOP)') as { readonly log: number }[]
    return state!.log
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_READONLY') return 0
    throw error
  }
}

/**
 * Empties what is left of an emptied log. A checkpoint would otherwise copy the zeros before later frames
 * over the pages of the database; without any frame it fails and changes nothing.
 */
export function discardLog(path: string, { identity }: LogFiles): void {
  const logPath = `${path}-wal`
  if (isSameFile(readStats(logPath), identity)) truncateSync(logPath)
}

export function readStats(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

export function isSameFile(a: FileIdentity | undefined, b: FileIdentity | undefined): boolean {
  return a?.ino === b?.ino && a?.dev === b?.dev
}
