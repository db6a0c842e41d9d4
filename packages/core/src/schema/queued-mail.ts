import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** A letter on its way: in the database from the transaction that causes it until it is sent. */
export interface QueuedMail extends RecordBase {
  readonly updated_at: Instant
  /** It holds a link that is a secret. */
  readonly sealed: string
  /** When it is tried next. Whoever tries puts it off first, so that no other does. */
  readonly due_at: Instant
  readonly attempts: number
  /** When it is of no use any more. */
  readonly expires_at: Instant
}

export const queuedMailShape = {
  columns: { sealed: 'text', due_at: 'instant', attempts: 'integer', expires_at: 'instant' },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
