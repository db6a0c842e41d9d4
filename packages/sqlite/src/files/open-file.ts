import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { foldText } from '@sales-crm/core/ports'
import Database from 'better-sqlite3'
import { FOLD_TEXT } from '../dialect/value-expressions.ts'

/** Earlier versions of SQLite could lose committed data in WAL mode. */
const MIN_VERSION = [3, 51, 3] as const
/** How long opening and migrating wait for another process. */
const BUSY_TIMEOUT_MS = 5000
/** The log is copied to the file every 16 MB, so that pages that change often are copied less often. */
export const MAX_LOG_PAGES = 4000

export function openWriter(path: string): Database.Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  createPrivateFile(path)
  return prepareDatabase(
    path,
    new Database(path, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true }),
    (db) => {
      db.pragma('journal_mode = WAL')
      db.pragma('synchronous = FULL')
      db.pragma(`wal_autocheckpoint = ${MAX_LOG_PAGES}`)
      // Overwrites deleted content, so deleted secrets do not remain in free pages.
      db.pragma('secure_delete = ON')
    },
  )
}

export function openReader(path: string): Database.Database {
  return prepareDatabase(path, new Database(path, { readonly: true, timeout: BUSY_TIMEOUT_MS }), () => {})
}

/**
 * Creates the file readable by its owner alone; SQLite gives its side files the same mode. An existing file
 * is not opened, because closing it would release this process's locks on it.
 */
function createPrivateFile(path: string): void {
  if (existsSync(path)) return
  assertNoLog(path)
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch {
    // SQLite reports the error when it opens the file.
  }
}

/** SQLite deletes the log of a missing database. @throws Error of one line when there is one */
function assertNoLog(path: string): void {
  const log = `${path}-wal`
  if (!existsSync(log) || statSync(log).size === 0) return
  throw new Error(
    `There is no database ${path}, but its log ${log}. Put the file back, or move the log away.`,
  )
}

/** @throws Error of one line when SQLite is too old or the file is not a database of the service */
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
    db.function(FOLD_TEXT, { deterministic: true }, (text) =>
      typeof text === 'string' ? foldText(text) : null,
    )
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
