import { type Kysely, sql } from 'kysely'
import { type Dialect, type Tables, uniqueIndexName } from '../dialect.ts'
import { createWorkspaceTable } from './record-table.ts'

/** Adds targets, whose rows are counted. A member has one for each month and currency. */
export async function createTargets(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await createWorkspaceTable(db, dialect, {
    name: 'targets',
    columns: {
      ...{ month: 'text not null', owner_id: 'uuid not null' },
      ...{ currency: 'text not null', amount: 'integer not null' },
    },
    foreignKeys: { owner_id: 'members' },
    sortColumns: ['created_at', 'month'],
    filterColumns: ['owner_id'],
  })
  const name = sql.id(uniqueIndexName('targets', 'month'))
  await sql`create unique index ${name} on targets (workspace_id, month, owner_id, currency)
    where deleted_at is null`.execute(db)
  for (const trigger of dialect.liveRowTriggers.createTriggers('targets')) await trigger.execute(db)
}
