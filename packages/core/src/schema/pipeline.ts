import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** A pipeline as it is stored, without its stages. The API returns `PipelineView`. */
export interface Pipeline extends RecordBase {
  readonly updated_at: Instant
  readonly name: string
}

export const pipelineShape = {
  columns: { name: 'text' },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
