import { existsSync, realpathSync } from 'node:fs'
import Database from 'better-sqlite3'

/** A lock that nobody refers to would be collected, and let go. */
const openLocks = new Set<Database.Database>()

/**
 * Holds the database file for one serving process: its rate windows are in memory, and a second server's
 * would not be its own. The lock is the operating system's, on a small file beside it, so that a killed
 * process lets go.
 * @returns what lets go @throws Error in one clear line when another process serves the file
 */
export function acquireProcessLock(path: string): () => void {
  // One file may have several names.
  const realPath = existsSync(path) ? realpathSync(path) : path
  const lock = new Database(`${realPath}.serving`, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    const isTaken = error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY'
    throw isTaken
      ? new Error(`Another process serves ${path}. Stop it first, or use PostgreSQL to run several.`)
      : error
  }
  openLocks.add(lock)
  return () => {
    openLocks.delete(lock)
    lock.close()
  }
}
