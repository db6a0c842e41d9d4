import type { Condition, RecordBase, RecordStore, Transaction } from '@sales-crm/core/ports'
import { type Connection, sqlStorage } from '@sales-crm/sql'
import { connectionTo } from '../src/connection.ts'
import { sqliteDialect } from '../src/dialect.ts'
import { sqliteStorage } from '../src/index.ts'
import { openReader } from '../src/open-file.ts'
import { freshPath, WORKSPACE } from './harness.ts'

export type Row = RecordBase & Readonly<Record<string, unknown>>
export type Where = readonly Condition<Row>[]

export interface Explained {
  readonly sql: string
  /** As SQLite tells how it goes about it. */
  readonly steps: readonly string[]
  readonly values: readonly unknown[]
}

/** A file with what `fill` puts there, read as the store does, and how each statement is run. */
export async function explaining(fill: (tx: Transaction) => Promise<void>) {
  const path = freshPath()
  const storage = await sqliteStorage({ file: path })
  await storage.transact(fill)
  await storage.close()
  const file = openReader(path)
  const sent: Explained[] = []
  const line = connectionTo(file)
  const connection: Connection = {
    ...line,
    async rows(statement, values) {
      const steps = file.prepare(`explain query plan ${statement.sql}`).all(...values) as { detail: string }[]
      sent.push({ sql: statement.sql, steps: steps.map(({ detail }) => detail), values })
      return line.rows(statement, values)
    },
    attempt: (part) => part(),
  }
  const never = () => Promise.reject(new Error('Not used here.'))
  const storing = sqlStorage(
    {
      read: (work) => work(connection),
      transact: never,
      transactUnsynced: never,
      glance: never,
      survey: never,
      check: never,
      close: never,
    },
    sqliteDialect,
  )
  const list = (name: string, where: Where, order_by: string, order: 'asc' | 'desc', page = 1) =>
    storing.read((tx) => storeOf(tx, name).list({ page, per_page: 20, order_by, order, where }))
  const tally = (name: string, words: string[]) => storing.read((tx) => storeOf(tx, name).tally('found_by', words))
  const close = (): void => void file.close()
  return { list, tally, read: storing.read, sent, close }
}

export function storeOf(tx: Transaction, name: string): RecordStore<Row> {
  return tx.workspace(WORKSPACE)[name as 'people'] as unknown as RecordStore<Row>
}
