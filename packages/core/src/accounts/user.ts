import type { Instant, RecordBase } from '../ports.ts'

/** One account, whatever number of workspaces it belongs to. */
export interface User extends RecordBase {
  readonly updated_at: Instant
  /** Lower case. */
  readonly email: string
  readonly name: string
  /** Null until the user sets one. */
  readonly password_hash: string | null
}

export const userShape = {
  columns: { email: 'text', name: 'text', password_hash: 'text?' },
  unique: ['email'],
  neverReused: [],
  refersTo: {},
} as const
