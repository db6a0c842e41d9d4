import { unlinkSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'

/**
 * Writes a consistent copy, readable by its owner alone.
 * @throws Error of one line
 */
export async function writeBackup(db: Database.Database, to: string): Promise<void> {
  createExclusively(to)
  await copyDatabase(db, to)
}

function createExclusively(copy: string): void {
  try {
    writeFileSync(copy, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new Error(`${copy} exists already. Name a file that does not.`)
    throw new Error(`Cannot make ${copy} (${message}). Name a file in a folder where this user may write.`, {
      cause: error,
    })
  }
}

/**
 * Copies in one transaction: otherwise SQLite restarts the copy at each commit of another process and may
 * never finish.
 */
async function copyDatabase(db: Database.Database, to: string): Promise<void> {
  try {
    db.exec('begin; select count(*) from sqlite_schema')
    await db.backup(to)
  } catch (error) {
    removeIfPossible(to)
    removeIfPossible(`${to}-journal`)
    throw explainBackupError(error, to)
  }
}

function removeIfPossible(file: string): void {
  try {
    unlinkSync(file)
  } catch {
    // The error of the backup is reported instead.
  }
}

/** Errors of the target, because the source is only read. */
const TARGET_CODES = /^SQLITE_(FULL|READONLY|CANTOPEN|IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|CLOSE|DELETE))/

function explainBackupError(error: unknown, to: string): unknown {
  if (!(error instanceof Database.SqliteError) || !TARGET_CODES.test(error.code)) return error
  const isFull = error.code === 'SQLITE_FULL'
  const reason = isFull ? 'its disk is full' : `${error.message}, ${error.code}`
  const advice = isFull ? 'Make room there' : 'Check its disk'
  return new Error(`Cannot write ${to} (${reason}). ${advice}, or name a file on another disk.`, {
    cause: error,
  })
}
