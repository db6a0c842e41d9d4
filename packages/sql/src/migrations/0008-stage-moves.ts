import type { Kysely } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { createWorkspaceTable } from './record-table.ts'

/** Adds a history of stage changes. It starts empty: earlier changes are not recorded. */
export async function createStageMoves(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await createWorkspaceTable(db, dialect, {
    name: 'stage_moves',
    columns: {
      deal_id: 'uuid not null',
      from_pipeline_id: 'uuid not null',
      from_stage_id: 'uuid not null',
      to_pipeline_id: 'uuid not null',
      to_stage_id: 'uuid not null',
      user_id: 'uuid not null',
    },
    foreignKeys: {
      deal_id: 'deals',
      from_pipeline_id: 'pipelines',
      from_stage_id: 'stages',
      to_pipeline_id: 'pipelines',
      to_stage_id: 'stages',
      user_id: 'members',
    },
    sortColumns: ['created_at'],
    filterColumns: ['deal_id'],
  })
}
