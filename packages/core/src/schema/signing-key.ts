import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** A signing key of access tokens. Its id is their `kid`. */
export interface SigningKey extends RecordBase {
  readonly updated_at: Instant
  readonly sealed_secret: string
  /** `current` for the one key that signs new tokens; null for the keys that only verify. */
  readonly role: 'current' | null
}

export const signingKeyShape = {
  columns: { sealed_secret: 'text', role: 'text?' },
  unique: ['role'],
  uniqueForever: [],
  foreignKeys: {},
} as const
