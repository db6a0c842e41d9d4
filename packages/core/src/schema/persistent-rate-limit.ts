import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** A window that outlives the process. */
export interface PersistentRateLimit extends RecordBase {
  readonly updated_at: Instant
  /** A hash of who and what is counted. */
  readonly key: string
  readonly used: number
  /** When it closes. */
  readonly expires_at: Instant
}

export const persistentRateLimitShape = {
  columns: { key: 'text', used: 'integer', expires_at: 'instant' },
  unique: ['key'],
  uniqueForever: [],
  foreignKeys: {},
} as const
