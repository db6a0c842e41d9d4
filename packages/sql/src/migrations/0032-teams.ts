import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { createWorkspaceTable } from './record-table.ts'

/** Adds teams: settings with a version, whose rows are counted. */
export async function createTeams(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await createWorkspaceTable(db, dialect, {
    name: 'teams',
    columns: { name: 'text not null', members: 'json not null', removed_member_ids: 'json not null' },
    sortColumns: ['created_at', 'name'],
    uniqueColumns: ['name'],
  })
  const { liveRowTriggers, settingsVersionTriggers } = dialect
  for (const trigger of liveRowTriggers.createTriggers('teams')) await trigger.execute(db)
  for (const trigger of settingsVersionTriggers.createTriggers('teams', ['insert', 'update', 'delete']))
    await sql.raw(trigger).execute(db)
}
