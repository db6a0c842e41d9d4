import type { Kysely } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { createSharedTable } from './record-table.ts'

/** Adds the long work that goes on in the background. */
export async function createRuns(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await createSharedTable(db, dialect, {
    name: 'runs',
    columns: {
      workspace_id: 'uuid not null',
      kind: 'text not null',
      subject_id: 'uuid not null',
      input: 'json not null',
      user_id: 'uuid not null',
      position: 'json',
      total: 'integer',
      visited: 'integer not null',
      changed: 'integer not null',
      refused: 'integer not null',
      due_at: 'instant',
    },
    sortColumns: ['due_at', 'updated_at'],
    filterColumns: ['workspace_id', 'subject_id'],
  })
}
