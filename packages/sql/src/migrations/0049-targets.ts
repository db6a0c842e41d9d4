import type { Kysely } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { createWorkspaceTable } from './record-table.ts'

/** Adds targets, whose rows are counted. That a member has one for each month and currency is checked under a lock. */
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
  for (const trigger of dialect.liveRowTriggers.createTriggers('targets')) await trigger.execute(db)
}
