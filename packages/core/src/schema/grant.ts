import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** One approval by one user of one app in one workspace. */
export interface Grant extends RecordBase {
  readonly updated_at: Instant
  readonly user_id: string
  readonly client_id: string
  readonly scopes: readonly string[]
  /** What its tokens are for. */
  readonly audience: Audience
  /** SHA-256 of the refresh token that works now. */
  readonly refresh_hash: string | null
  /** SHA-256 of the part that all refresh tokens of a program's grant share: what has it was issued once. Null for other apps. */
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

/** What a token is for: the whole interface, or the tools at `/mcp` alone (RFC 8707). */
export type Audience = 'interface' | 'mcp'
