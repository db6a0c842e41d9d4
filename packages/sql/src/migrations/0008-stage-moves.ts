import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, Tables } from '../dialect.ts'
import { createOfWorkspaces } from './record-table.ts'

/** Moves from now on: of those before nobody knows. */
export function stageMoves(dialect: Dialect): Migration {
  return {
    async up(db: Kysely<Tables>) {
      await createOfWorkspaces(db, dialect, {
        name: 'stage_moves',
        columns: {
          deal_id: 'uuid not null',
          from_pipeline_id: 'uuid not null',
          from_stage_id: 'uuid not null',
          to_pipeline_id: 'uuid not null',
          to_stage_id: 'uuid not null',
          user_id: 'uuid not null',
        },
        refersTo: {
          deal_id: 'deals',
          from_pipeline_id: 'pipelines',
          from_stage_id: 'stages',
          to_pipeline_id: 'pipelines',
          to_stage_id: 'stages',
          user_id: 'members',
        },
        orderedBy: ['created_at'],
        foundBy: ['deal_id'],
      })
    },
  }
}
