import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import Database from 'better-sqlite3'
import { type FileIdentity, isSameFile, readStats } from './log-files.ts'

/** The lock of a file, which one process holds. */
export interface ProcessLock {
  /**
   * Locks the file again if it was removed or replaced: the operating system holds a lock on the file, not on
   * its name.
   * @throws Error of one line when another process has locked the new file
   */
  assertHeld(): void
  /** Releases the lock. Idempotent. */
  release(): void
}

interface LockFile {
  readonly db: Database.Database
  readonly identity: FileIdentity | undefined
}

/** Keeps locks reachable: a collected connection would release its lock. */
const openLocks = new Set<Database.Database>()

/**
 * Reserves the database file for one serving process, because rate limit windows are in memory. The operating
 * system holds the lock on a small file beside it, so a killed process releases it.
 * @throws Error of one line when another process serves the file
 */
export function acquireProcessLock(path: string): ProcessLock {
  // Symbolic links give a file several names.
  const lockPath = `${existsSync(path) ? realpathSync(path) : path}.serving`
  let held = lockFile(lockPath, path)

  return {
    assertHeld() {
      if (isSameFile(readStats(lockPath), held.identity)) return
      const renewed = lockFile(lockPath, path)
      unlock(held)
      held = renewed
    },
    release: () => unlock(held),
  }
}

function lockFile(lockPath: string, path: string): LockFile {
  const db = new Database(lockPath, { timeout: 0 })
  try {
    assertLockable(lockPath)
    db.exec('begin exclusive')
  } catch (error) {
    db.close()
    const isTaken = error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY'
    throw isTaken
      ? new Error(`Another process serves ${path}. Stop it first, or use PostgreSQL to run several.`)
      : error
  }
  openLocks.add(db)
  return { db, identity: readStats(lockPath) }
}

function unlock({ db }: LockFile): void {
  openLocks.delete(db)
  db.close()
}

/** SQLite opens a file that cannot be written for reading, and then locks nothing. */
function assertLockable(lockPath: string): void {
  try {
    if (existsSync(lockPath)) accessSync(lockPath, constants.W_OK)
  } catch (error) {
    throw new Error(
      `This user may not write ${lockPath} (${(error as NodeJS.ErrnoException).code}), which locks the database. ` +
        'Let this user write the file and its folder.',
    )
  }
}
