import type { MessagePort } from 'node:worker_threads'
import type { Row } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { openReader } from '../files/open-file.ts'

/** The requests to the thread, in sequence: a read begins, its statements, the read ends. */
export type ThreadRequest = 'begin' | 'end' | readonly [sql: string, values: readonly unknown[]]
/** The responses, one per request in the same order. */
export type ThreadResponse = { readonly rows: readonly Row[] } | FailedResponse

/** The fields of an error that can be cloned between threads. */
export interface FailedResponse {
  readonly message: string
  readonly code: string | undefined
}

/**
 * Serves reads, each on its own connection: opened on the file that the path then names, and closed with
 * its cache afterwards.
 */
export function serveReads(port: MessagePort, path: string): void {
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
    if (!db) throw new Error('The read is over.')
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
