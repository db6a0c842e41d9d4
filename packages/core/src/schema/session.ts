import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** A signed-in browser. */
export interface Session extends RecordBase {
  readonly updated_at: Instant
  readonly user_id: string
  readonly token_hash: string
  readonly expires_at: Instant
}

export const sessionShape = {
  columns: { user_id: 'uuid', token_hash: 'text', expires_at: 'instant' },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
