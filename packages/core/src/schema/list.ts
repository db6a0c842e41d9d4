import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** A list that people, companies and deals can be on. */
export interface List extends RecordBase {
  readonly updated_at: Instant
  readonly name: string
  readonly description: string | null
}

export const listShape = {
  columns: { name: 'text', description: 'text?' },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
