import { existsSync, realpathSync } from 'node:fs'
import Database from 'better-sqlite3'

/** Keeps locks reachable: a collected connection would release its lock. */
const openLocks = new Set<Database.Database>()

/**
 * Reserves the database file for one serving process, because rate limit windows are in memory. The operating
 * system holds the lock on a small file beside it, so a killed process releases it.
 * @returns a function that releases the lock
 * @throws Error of one line when another process serves the file
 */
export function acquireProcessLock(path: string): () => void {
  // Symbolic links give a file several names.
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
