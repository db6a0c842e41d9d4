import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** A mail that waits to be sent, inserted in the transaction that causes it. */
export interface QueuedMail extends RecordBase {
  readonly updated_at: Instant
  /** Sealed, because it contains a secret link. */
  readonly sealed: string
  /** When the next attempt is due. A worker postpones it before sending, so that no other sends it. */
  readonly due_at: Instant
  readonly attempts: number
  /** When its link expires. */
  readonly expires_at: Instant
}

export const queuedMailShape = {
  columns: { sealed: 'text', due_at: 'instant', attempts: 'integer', expires_at: 'instant' },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
