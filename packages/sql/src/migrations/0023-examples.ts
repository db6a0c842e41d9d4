import type { Kysely } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { createWorkspaceTable } from './record-table.ts'

/** Adds the marks of records that are examples. */
export async function createExamples(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await createWorkspaceTable(db, dialect, {
    name: 'examples',
    columns: { kind: 'text not null', version: 'text not null' },
    sortColumns: ['created_at'],
  })
}
