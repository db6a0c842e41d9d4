import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** A rate limit window that survives a restart. */
export interface PersistentRateLimit extends RecordBase {
  readonly updated_at: Instant
  /** Hash of the rate limit's key. */
  readonly key: string
  readonly used: number
  /** When the window closes. */
  readonly expires_at: Instant
}

export const persistentRateLimitShape = {
  columns: { key: 'text', used: 'integer', expires_at: 'instant' },
  unique: ['key'],
  uniqueForever: [],
  foreignKeys: {},
} as const
