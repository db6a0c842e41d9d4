import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** A link that was mailed, good once. What it is good for is its purpose, and the app or the user it is about. */
export interface OneTimeLink extends RecordBase {
  readonly updated_at: Instant
  readonly purpose: 'credentials' | 'password_reset'
  readonly subject_id: string
  readonly token_hash: string
  readonly expires_at: Instant
}

export const oneTimeLinkShape = {
  columns: { purpose: 'text', subject_id: 'uuid', token_hash: 'text', expires_at: 'instant' },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
