import type { Instant, RecordBase } from '../ports.ts'

export type StageType = 'open' | 'win' | 'lost'

export interface Pipeline extends RecordBase {
  readonly updated_at: Instant
  readonly name: string
}

export interface Stage extends RecordBase {
  readonly updated_at: Instant
  readonly pipeline_id: string
  /** Place among the pipeline's stages, from 0. */
  readonly position: number
  readonly name: string
  readonly type: StageType
  /** Percent. */
  readonly probability: number
}

export const pipelineShape = { columns: { name: 'text' }, unique: [], neverReused: [], refersTo: {} } as const

export const stageShape = {
  columns: { pipeline_id: 'uuid', position: 'integer', name: 'text', type: 'text', probability: 'integer' },
  unique: [],
  neverReused: [],
  refersTo: { pipeline_id: 'pipelines' },
} as const
