import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType, createWorkspaceTable } from './record-table.ts'

/** Adds why deals are lost: reasons, which are settings with a version, and those of deals. Adds the settings of stages. */
export async function addLostReasons(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await createWorkspaceTable(db, dialect, {
    name: 'lost_reasons',
    columns: { name: 'text not null', position: 'integer not null', removed_at: 'instant' },
    sortColumns: ['created_at', 'name', 'position'],
  })
  const { liveRowTriggers, settingsVersionTriggers } = dialect
  for (const trigger of liveRowTriggers.createTriggers('lost_reasons')) await trigger.execute(db)
  for (const trigger of settingsVersionTriggers.createTriggers('lost_reasons', [
    'insert',
    'update',
    'delete',
  ]))
    await sql.raw(trigger).execute(db)
  const add = (table: string, column: string, kind: string) =>
    sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${columnType(kind, dialect)}`.execute(
      db,
    )
  await add('deals', 'lost_reason_id', 'uuid')
  for (const statement of dialect.addForeignKey('deals', 'lost_reason_id', 'lost_reasons'))
    await statement.execute(db)
  await add('deals', 'lost_note', 'text')
  await add('deals', 'lost_stage_id', 'uuid')
  for (const statement of dialect.addForeignKey('deals', 'lost_stage_id', 'stages'))
    await statement.execute(db)
  await fillLostStages(db)
  await add('stages', 'required_fields', `json not null default '[]'`)
  await add('stages', 'stale_after_days', 'integer')
}

/** The stage from which a lost deal came into the lost stages: that of its last move out of another one. */
async function fillLostStages(db: Kysely<Tables>): Promise<void> {
  const isLost = (column: string) =>
    sql`exists (select 1 from stages where stages.workspace_id = deals.workspace_id
      and stages.id = ${sql.ref(column)} and stages.type = 'lost')`
  await sql`update deals set lost_stage_id = (
      select moves.from_stage_id from stage_moves as moves
      where moves.workspace_id = deals.workspace_id and moves.deal_id = deals.id and moves.deleted_at is null
        and not ${isLost('moves.from_stage_id')}
      order by moves.created_at desc, moves.id desc limit 1
    ) where ${isLost('deals.stage_id')}`.execute(db)
}
