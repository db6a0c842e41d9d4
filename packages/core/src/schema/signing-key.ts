import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** A key that signs access tokens. Its id is the tokens' `kid`. */
export interface SigningKey extends RecordBase {
  readonly updated_at: Instant
  readonly sealed_secret: string
  /** The single key that signs new tokens has `current`; the others only verify, and null lets there be many. */
  readonly role: 'current' | null
}

export const signingKeyShape = {
  columns: { sealed_secret: 'text', role: 'text?' },
  unique: ['role'],
  uniqueForever: [],
  foreignKeys: {},
} as const
