import type { RecordBase } from '../kernel/record.ts'

/** That a deal came from one stage to another, be it of another pipeline: kept for ever, and never changed. */
export interface StageMove extends RecordBase {
  readonly deal_id: string
  readonly from_pipeline_id: string
  readonly from_stage_id: string
  readonly to_pipeline_id: string
  readonly to_stage_id: string
  /** Who moved it. */
  readonly user_id: string
}

export const stageMoveShape = {
  columns: {
    deal_id: 'uuid',
    from_pipeline_id: 'uuid',
    from_stage_id: 'uuid',
    to_pipeline_id: 'uuid',
    to_stage_id: 'uuid',
    user_id: 'uuid',
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
