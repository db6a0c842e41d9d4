import type { MessagePort } from 'node:worker_threads'
import type { Row } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { openReader } from './open-file.ts'

/** What the thread is told, one thing after another: that a survey begins, what it reads, and that it is over. */
export type Order = 'begin' | 'end' | readonly [sql: string, values: readonly unknown[]]
/** What it answers to each, in the same order. No more of an error than this goes from one thread to another. */
export type Answer = { readonly rows: readonly Row[] } | { readonly message: string; readonly code: string | undefined }

/** Each survey has a connection of its own: to the file that is under the path by then, and with a memory that goes when it is over. */
export function serveSurveys(port: MessagePort, path: string): void {
  let file: Database.Database | undefined

  function follow(order: Order): readonly Row[] {
    if (order === 'begin') {
      file = openReader(path)
      file.exec('begin')
      return []
    }
    if (order === 'end') {
      file?.close()
      file = undefined
      return []
    }
    if (!file) throw new Error('The survey is over.')
    const [sql, values] = order
    return file.prepare(sql).all(...values) as Row[]
  }

  port.on('message', (order: Order) => port.postMessage(answered(() => follow(order))))
}

function answered(follow: () => readonly Row[]): Answer {
  try {
    return { rows: follow() }
  } catch (error) {
    const { message, cause = error } = error as Error
    return { message, code: cause instanceof Database.SqliteError ? cause.code : undefined }
  }
}
