import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** A deal's move to another stage or pipeline. Rows are never changed, and deleted only with a move back within a minute. */
export interface StageMove extends RecordBase {
  readonly deal_id: string
  readonly from_pipeline_id: string
  readonly from_stage_id: string
  readonly to_pipeline_id: string
  readonly to_stage_id: string
  /** The user who moved it. */
  readonly user_id: string
  /** When the deal came into the stage that it left; null if a process of an earlier version recorded the move. */
  readonly entered_at: Instant | null
}

export const stageMoveShape = {
  columns: {
    deal_id: 'uuid',
    from_pipeline_id: 'uuid',
    from_stage_id: 'uuid',
    to_pipeline_id: 'uuid',
    to_stage_id: 'uuid',
    user_id: 'uuid',
    entered_at: 'instant?',
  },
  unique: [],
  uniqueForever: [],
  foreignKeys: {
    deal_id: 'deals',
    from_pipeline_id: 'pipelines',
    from_stage_id: 'stages',
    to_pipeline_id: 'pipelines',
    to_stage_id: 'stages',
    user_id: 'members',
  },
} as const
