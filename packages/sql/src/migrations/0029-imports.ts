import type { Kysely } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { createSharedTable, createWorkspaceTable } from './record-table.ts'

const LONG_TEXTS = [
  ['import_parts', 'content', 'text'],
  ['import_chunks', 'results', 'json'],
] as const

/** Adds imports, the parts of their files, and what they have written. The bytes of both count. */
export async function createImports(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await createSharedTable(db, dialect, {
    name: 'imports',
    columns: {
      workspace_id: 'uuid not null',
      user_id: 'uuid not null',
      name: 'text not null',
      size: 'integer not null',
      received: 'integer not null',
      parts: 'integer not null',
      chunks: 'integer not null',
      state: 'text not null',
      options: 'json not null',
      columns: 'json not null',
      progress: 'json not null',
      report: 'json',
      problem: 'json',
      due_at: 'instant',
      expires_at: 'instant not null',
    },
    sortColumns: ['due_at', 'expires_at'],
    filterColumns: ['workspace_id'],
  })
  for (const [table, column, kind] of LONG_TEXTS) {
    await createWorkspaceTable(db, dialect, {
      name: table,
      columns: { key: 'text not null', [column]: `${kind} not null` },
      sortColumns: [],
      uniqueColumns: ['key'],
    })
    for (const trigger of dialect.longTextTriggers(table, column)) await trigger.execute(db)
  }
}
