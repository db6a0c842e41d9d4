import type { MessagePort } from 'node:worker_threads'
import type { Row } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { openReader } from '../files/open-file.ts'

/**
 * What the thread is told, one thing after another: that a survey begins, what it reads, and that it is over.
 */
export type ThreadRequest = 'begin' | 'end' | readonly [sql: string, values: readonly unknown[]]
/**
 * What it answers to each, in the same order. No more of an error than this goes from one thread to another.
 */
export type ThreadResponse =
  | { readonly rows: readonly Row[] }
  | { readonly message: string; readonly code: string | undefined }

/**
 * Each survey has a connection of its own: to the file that is under the path by then, and with a memory that
 * goes when it is over.
 */
export function serveReports(port: MessagePort, path: string): void {
  let db: Database.Database | undefined

  function handle(request: ThreadRequest): readonly Row[] {
    if (request === 'begin') {
      db = openReader(path)
      db.exec('begin')
      return []
    }
    if (request === 'end') {
      db?.close()
      db = undefined
      return []
    }
    if (!db) throw new Error('The survey is over.')
    const [sql, values] = request
    return db.prepare(sql).all(...values) as Row[]
  }

  port.on('message', (request: ThreadRequest) => port.postMessage(toResponse(() => handle(request))))
}

function toResponse(handle: () => readonly Row[]): ThreadResponse {
  try {
    return { rows: handle() }
  } catch (error) {
    const { message, cause = error } = error as Error
    return { message, code: cause instanceof Database.SqliteError ? cause.code : undefined }
  }
}
