import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** A link that works once, for a purpose and the app or user it is about. */
export interface OneTimeLink extends RecordBase {
  readonly updated_at: Instant
  readonly purpose: 'credentials' | 'password_reset' | 'setup'
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
