import type { Condition, RecordBase, RecordStore, Transaction } from '@sales-crm/core/ports'
import { type Connection, sqlStorage } from '@sales-crm/sql'
import { sqliteDialect } from '../../src/dialect/sqlite-dialect.ts'
import { createConnection } from '../../src/files/file-connection.ts'
import { openReader } from '../../src/files/open-file.ts'
import { sqliteStorage } from '../../src/index.ts'
import { createTempPath, WORKSPACE } from '../harness.ts'

export type AnyRecord = RecordBase & Readonly<Record<string, unknown>>
export type Conditions = readonly Condition<AnyRecord>[]

export interface ExplainedStatement {
  readonly sql: string
  /** As SQLite tells how it goes about it. */
  readonly steps: readonly string[]
  readonly values: readonly unknown[]
}

/** A file with what `fill` puts there, read as the store does, and how each statement is run. */
export async function createExplainingStorage(fill: (tx: Transaction) => Promise<void>) {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  await storage.transact(fill)
  await storage.close()
  const file = openReader(path)
  const sent: ExplainedStatement[] = []
  const connectionToFile = createConnection(file)
  const connection: Connection = {
    ...connectionToFile,
    async query(statement, values) {
      const steps = file.prepare(`explain query plan ${statement.sql}`).all(...values) as { detail: string }[]
      sent.push({ sql: statement.sql, steps: steps.map(({ detail }) => detail), values })
      return connectionToFile.query(statement, values)
    },
    savepoint: (part) => part(),
  }
  const never = () => Promise.reject(new Error('Not used here.'))
  const explainedStorage = sqlStorage(
    {
      read: (work) => work(connection),
      transact: never,
      check: never,
      close: never,
    },
    sqliteDialect,
  )
  const list = (name: string, where: Conditions, order_by: string, order: 'asc' | 'desc', page = 1) =>
    explainedStorage.read((tx) => storeOf(tx, name).list({ page, per_page: 20, order_by, order, where }))
  const countByTerm = (name: string, words: string[]) =>
    explainedStorage.read((tx) => storeOf(tx, name).countByTerm('search_terms', words))
  const close = (): void => void file.close()
  return { list, tally: countByTerm, read: explainedStorage.read, sent, close }
}

export function storeOf(tx: Transaction, name: string): RecordStore<AnyRecord> {
  return tx.workspace(WORKSPACE)[name as 'people'] as unknown as RecordStore<AnyRecord>
}
