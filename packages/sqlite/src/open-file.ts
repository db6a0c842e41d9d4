import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'

/** Before this version SQLite could lose committed data in WAL mode. */
const OLDEST = [3, 51, 3] as const
/** How long opening and migrating wait for another process. */
const BUSY_MS = 5000

export function openWriter(path: string): Database.Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  makeOwn(path)
  return prepared(path, new Database(path, { timeout: BUSY_MS, fileMustExist: true }), (file) => {
    file.pragma('journal_mode = WAL')
    file.pragma('synchronous = FULL')
    // Pages that change with every write go from the log to the file once for many of them: 16 MB of log.
    file.pragma('wal_autocheckpoint = 4000')
    // A deleted secret is overwritten, not only forgotten.
    file.pragma('secure_delete = ON')
  })
}

export function openReader(path: string): Database.Database {
  return prepared(path, new Database(path, { readonly: true, timeout: BUSY_MS }), () => {})
}

/**
 * A new file is its owner's alone, and what SQLite lays beside it is as open as the file. One that is there is not even opened: to
 * close it would let go of the locks that this process holds on it.
 */
function makeOwn(path: string): void {
  if (existsSync(path)) return
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch {
    // SQLite is about to say that it cannot open the file.
  }
}

/** @throws Error in one clear line: too old a SQLite, or a file that is none of its databases */
function prepared(path: string, file: Database.Database, setUp: (file: Database.Database) => void): Database.Database {
  try {
    requireVersion(file.prepare('select sqlite_version()').pluck().get() as string)
    setUp(file)
    file.pragma('foreign_keys = ON')
    file.pragma('cache_size = -32768')
    file.prepare('select count(*) from sqlite_schema').get()
    return file
  } catch (error) {
    file.close()
    throw understood(error, path)
  }
}

export function requireVersion(version: string): void {
  const parts = version.split('.').map(Number)
  const differs = OLDEST.findIndex((least, index) => (parts[index] ?? 0) !== least)
  if (differs >= 0 && (parts[differs] ?? 0) < OLDEST[differs]!) {
    throw new Error(`SQLite ${version} is too old: ${OLDEST.join('.')} or newer is needed. Update better-sqlite3.`)
  }
}

function understood(error: unknown, path: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  if (error.code !== 'SQLITE_CORRUPT' && error.code !== 'SQLITE_NOTADB') return error
  return new Error(`The database ${path} is damaged or no SQLite database (${error.message}). Restore it from a backup.`, { cause: error })
}
