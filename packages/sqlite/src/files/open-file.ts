import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'

/** Before this version SQLite could lose committed data in WAL mode. */
const MIN_VERSION = [3, 51, 3] as const
/** How long opening and migrating wait for another process. */
const BUSY_TIMEOUT_MS = 5000

export function openWriter(path: string): Database.Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  createPrivateFile(path)
  return prepareDatabase(
    path,
    new Database(path, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true }),
    (db) => {
      db.pragma('journal_mode = WAL')
      db.pragma('synchronous = FULL')
      // Pages that change with every write go from the log to the file once for many of them: 16 MB of log.
      db.pragma('wal_autocheckpoint = 4000')
      // A deleted secret is overwritten, not only forgotten.
      db.pragma('secure_delete = ON')
    },
  )
}

export function openReader(path: string): Database.Database {
  return prepareDatabase(path, new Database(path, { readonly: true, timeout: BUSY_TIMEOUT_MS }), () => {})
}

/**
 * A new file is its owner's alone, and what SQLite lays beside it is as open as the file. One that is there
 * is not even opened: to close it would let go of the locks that this process holds on it.
 */
function createPrivateFile(path: string): void {
  if (existsSync(path)) return
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch {
    // SQLite is about to say that it cannot open the file.
  }
}

/** @throws Error in one clear line: too old a SQLite, or a file that is none of its databases */
function prepareDatabase(
  path: string,
  db: Database.Database,
  configure: (file: Database.Database) => void,
): Database.Database {
  try {
    requireVersion(db.prepare('select sqlite_version()').pluck().get() as string)
    configure(db)
    db.pragma('foreign_keys = ON')
    db.pragma('cache_size = -32768')
    db.prepare('select count(*) from sqlite_schema').get()
    return db
  } catch (error) {
    db.close()
    throw explainOpenError(error, path)
  }
}

export function requireVersion(version: string): void {
  const parts = version.split('.').map(Number)
  const firstDifference = MIN_VERSION.findIndex((minimum, index) => (parts[index] ?? 0) !== minimum)
  if (firstDifference >= 0 && (parts[firstDifference] ?? 0) < MIN_VERSION[firstDifference]!) {
    throw new Error(
      `SQLite ${version} is too old: ${MIN_VERSION.join('.')} or newer is needed. Update better-sqlite3.`,
    )
  }
}

function explainOpenError(error: unknown, path: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  if (error.code !== 'SQLITE_CORRUPT' && error.code !== 'SQLITE_NOTADB') return error
  return new Error(
    `The database ${path} is damaged or no SQLite database (${error.message}). Restore it from a backup.`,
    { cause: error },
  )
}
