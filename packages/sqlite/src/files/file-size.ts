import { statSync } from 'node:fs'
import Database from 'better-sqlite3'

/**
 * Compares the size of the file with its number of pages. A checkpoint precedes, because a crash during one
 * may leave a short file, which the log completes.
 * @returns a part of a sentence; undefined also while the log cannot be copied into the file
 */
export function findSizeProblem(db: Database.Database): string | undefined {
  if (!isCheckpointed(db)) return undefined
  const pageBytes = db.pragma('page_size', { simple: true }) as number
  const pageCount = db.pragma('page_count', { simple: true }) as number
  const { size } = statSync(db.name)
  if (size % pageBytes === 0 && size >= pageCount * pageBytes) return undefined
  return `its size of ${size} bytes is not that of ${pageCount} pages of ${pageBytes} bytes`
}

function isCheckpointed(db: Database.Database): boolean {
  try {
    const [state] = db.pragma('wal_checkpoint(PASSIVE)') as {
      readonly log: number
      readonly checkpointed: number
    }[]
    return state!.log === state!.checkpointed
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_READONLY') return false
    throw error
  }
}
