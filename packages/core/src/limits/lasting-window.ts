import type { Instant, RecordBase } from '../ports.ts'

/** A window that outlives the process. */
export interface LastingWindow extends RecordBase {
  readonly updated_at: Instant
  /** A hash of who and what is counted. */
  readonly key: string
  readonly used: number
  /** When it closes. */
  readonly expires_at: Instant
}

export const lastingWindowShape = {
  columns: { key: 'text', used: 'integer', expires_at: 'instant' },
  unique: ['key'],
  neverReused: [],
  refersTo: {},
} as const
