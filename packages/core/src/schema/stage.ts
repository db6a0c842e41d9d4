import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

export type StageType = 'open' | 'win' | 'lost'

export interface Stage extends RecordBase {
  readonly updated_at: Instant
  readonly pipeline_id: string
  /** Position in the pipeline, from 0. */
  readonly position: number
  readonly name: string
  readonly type: StageType
  /** Percent. */
  readonly probability: number
}

export const stageShape = {
  columns: { pipeline_id: 'uuid', position: 'integer', name: 'text', type: 'text', probability: 'integer' },
  unique: [],
  uniqueForever: [],
  foreignKeys: { pipeline_id: 'pipelines' },
} as const
