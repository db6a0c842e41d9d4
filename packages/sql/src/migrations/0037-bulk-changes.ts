import type { Kysely } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { createSharedTable, createWorkspaceTable } from './record-table.ts'

/** Adds bulk changes and their parts, whose bytes count. */
export async function createBulkChanges(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await createSharedTable(db, dialect, {
    name: 'bulk_changes',
    columns: {
      ...{ workspace_id: 'uuid not null', user_id: 'uuid not null', kind: 'text not null' },
      ...{ change: 'json not null', total: 'integer not null', expires_at: 'instant not null' },
    },
    sortColumns: ['expires_at'],
    filterColumns: ['workspace_id'],
  })
  await createWorkspaceTable(db, dialect, {
    name: 'bulk_parts',
    columns: { key: 'text not null', content: 'json not null' },
    sortColumns: [],
    uniqueColumns: ['key'],
  })
  for (const trigger of dialect.longTextTriggers('bulk_parts', 'content')) await trigger.execute(db)
}
