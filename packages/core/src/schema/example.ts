import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

export type ExampleKind = 'pipelines' | 'companies' | 'people' | 'deals' | 'tasks'

/** Marks a record as an example, which is removed with the others. Its id is that of the record. */
export interface Example extends RecordBase {
  readonly updated_at: Instant
  readonly kind: ExampleKind
  /** The version of the record as it was made: a record with another one was changed by somebody. */
  readonly version: string
}

export const exampleShape = {
  columns: { kind: 'text', version: 'text' },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
