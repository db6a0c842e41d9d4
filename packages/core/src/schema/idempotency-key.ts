import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** What a request that named a key was answered with. */
export interface IdempotencyKey extends RecordBase {
  readonly updated_at: Instant
  /** A hash of the app, the workspace, the path and the key. */
  readonly scope: string
  /** A hash of the body. */
  readonly request: string
  readonly answer: unknown
}

export const idempotencyKeyShape = {
  columns: { scope: 'text', request: 'text', answer: 'json?' },
  unique: ['scope'],
  uniqueForever: [],
  foreignKeys: {},
} as const
