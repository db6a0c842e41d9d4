import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'

/** Before this version SQLite could lose committed data in WAL mode. */
const OLDEST = [3, 51, 3] as const
const BUSY_MS = 5000

/** @throws Error in one clear line: too old a SQLite, or a file that is none of its databases */
export function openFile(path: string, options: { readonly readonly: boolean }): Database.Database {
  if (!options.readonly && !existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true })
  const file = new Database(path, { readonly: options.readonly, timeout: BUSY_MS })
  try {
    requireVersion(file)
    if (!options.readonly) {
      file.pragma('journal_mode = WAL')
      file.pragma('synchronous = FULL')
      file.pragma('secure_delete = ON')
    }
    file.pragma('foreign_keys = ON')
    file.pragma('cache_size = -65536')
    file.pragma('mmap_size = 268435456')
    file.prepare('select count(*) from sqlite_schema').get()
    return file
  } catch (error) {
    file.close()
    throw understood(error, path)
  }
}

function requireVersion(file: Database.Database): void {
  const version = file.prepare('select sqlite_version()').pluck().get() as string
  const parts = version.split('.').map(Number)
  const older = OLDEST.findIndex((least, index) => (parts[index] ?? 0) !== least)
  if (older >= 0 && (parts[older] ?? 0) < OLDEST[older]!) {
    throw new Error(`SQLite ${version} is too old: ${OLDEST.join('.')} or newer is needed. Update better-sqlite3.`)
  }
}

function understood(error: unknown, path: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  const damaged = error.code === 'SQLITE_CORRUPT' || error.code === 'SQLITE_NOTADB'
  return damaged ? new Error(`The database ${path} is damaged or no SQLite database (${error.message}). Restore it from a backup.`) : error
}
