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
  /** The lines of `explain query plan`. */
  readonly steps: readonly string[]
  readonly values: readonly unknown[]
}

/**
 * Creates a file with the rows that `fill` inserts, and a storage that records the plan of each statement.
 */
export async function createExplainingStorage(fill: (tx: Transaction) => Promise<void>) {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  await storage.transact(fill)
  await storage.close()
  const file = openReader(path)
  const statements: ExplainedStatement[] = []
  const connectionToFile = createConnection(file)
  const connection: Connection = {
    ...connectionToFile,
    async query(statement, values) {
      const steps = file.prepare(`explain query plan ${statement.sql}`).all(...values) as { detail: string }[]
      statements.push({ sql: statement.sql, steps: steps.map(({ detail }) => detail), values })
      return connectionToFile.query(statement, values)
    },
    savepoint: (work) => work(),
  }
  const rejectUnused = () => Promise.reject(new Error('Not used here.'))
  const explainedStorage = sqlStorage(
    {
      read: (work) => work(connection),
      transact: rejectUnused,
      check: rejectUnused,
      close: rejectUnused,
    },
    sqliteDialect,
  )
  const list = (name: string, where: Conditions, order_by: string, order: 'asc' | 'desc', page = 1) =>
    explainedStorage.read((tx) => storeOf(tx, name).list({ page, per_page: 20, order_by, order, where }))
  const countByTerm = (name: string, terms: string[]) =>
    explainedStorage.read((tx) => storeOf(tx, name).countByTerm('search_terms', terms))
  const close = (): void => void file.close()
  return { list, countByTerm, read: explainedStorage.read, statements, close }
}

export function storeOf(tx: Transaction, name: string): RecordStore<AnyRecord> {
  return tx.workspace(WORKSPACE)[name as 'people'] as unknown as RecordStore<AnyRecord>
}
