import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** One approval by one user of one app in one workspace. */
export interface Grant extends RecordBase {
  readonly updated_at: Instant
  readonly user_id: string
  readonly client_id: string
  readonly scopes: readonly string[]
  /** The audience of its tokens. */
  readonly audience: Audience
  /** SHA-256 of the current refresh token. */
  readonly refresh_hash: string | null
  /**
   * SHA-256 of the part that all refresh tokens of a public client's grant share: it identifies a replaced
   * one. Null for other apps.
   */
  readonly family_hash: string | null
  readonly refresh_expires_at: Instant | null
  readonly revoked_at: Instant | null
}

export const grantShape = {
  columns: {
    user_id: 'uuid',
    client_id: 'uuid',
    scopes: 'json',
    audience: 'text',
    refresh_hash: 'text?',
    family_hash: 'text?',
    refresh_expires_at: 'instant?',
    revoked_at: 'instant?',
  },
  unique: ['refresh_hash'],
  uniqueForever: [],
  foreignKeys: { user_id: 'members' },
} as const

/** The resource that a token is for: the whole API, or only `/mcp` (RFC 8707). */
export type Audience = 'interface' | 'mcp'
