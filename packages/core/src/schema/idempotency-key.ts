import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** The response to a request with an `Idempotency-Key`. */
export interface IdempotencyKey extends RecordBase {
  readonly updated_at: Instant
  /** Hash of app, workspace, path and key. */
  readonly scope: string
  /** Hash of the body. */
  readonly request: string
  readonly answer: unknown
}

export const idempotencyKeyShape = {
  columns: { scope: 'text', request: 'text', answer: 'json?' },
  unique: ['scope'],
  uniqueForever: [],
  foreignKeys: {},
} as const
