import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** Deals in a `win` or `lost` stage are closed. */
export type StageType = 'open' | 'win' | 'lost'

/** A stage of a pipeline as it is stored. The API returns `StageView`. */
export interface Stage extends RecordBase {
  readonly updated_at: Instant
  readonly pipeline_id: string
  /** Position in the pipeline, from 0. */
  readonly position: number
  readonly name: string
  readonly type: StageType
  /** Probability of winning a deal in this stage, in percent: an integer from 0 to 100. */
  readonly probability: number
}

export const stageShape = {
  columns: { pipeline_id: 'uuid', position: 'integer', name: 'text', type: 'text', probability: 'integer' },
  unique: [],
  uniqueForever: [],
  foreignKeys: { pipeline_id: 'pipelines' },
} as const
