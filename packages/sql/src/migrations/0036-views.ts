import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { createWorkspaceTable } from './record-table.ts'

/** Adds saved views: settings with a version, whose rows are counted. */
export async function createViews(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await createWorkspaceTable(db, dialect, {
    name: 'views',
    columns: {
      ...{ kind: 'text not null', name: 'text not null', filter: 'json', order_by: 'text' },
      ...{ order: 'text not null', columns: 'json', layout: 'text not null', shared: 'text not null' },
      ...{ default_for: 'json not null', owner_user_id: 'uuid' },
    },
    foreignKeys: { owner_user_id: 'members' },
    sortColumns: ['created_at', 'name'],
  })
  const { liveRowTriggers, settingsVersionTriggers } = dialect
  for (const trigger of liveRowTriggers.createTriggers('views')) await trigger.execute(db)
  for (const trigger of settingsVersionTriggers.createTriggers('views', ['insert', 'update', 'delete']))
    await sql.raw(trigger).execute(db)
}
