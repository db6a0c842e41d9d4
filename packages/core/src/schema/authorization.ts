import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Audience } from './grant.ts'

/** What an app asked a user for, until the user has decided. */
export interface Authorization extends RecordBase {
  readonly updated_at: Instant
  readonly client_id: string
  readonly redirect_uri: string
  /** Percent-encoded, as it is sent back: it may hold what no text column does. */
  readonly state: string | null
  readonly scopes: readonly string[]
  /** What the tokens it leads to are for. */
  readonly audience: Audience
  readonly code_challenge: string | null
  readonly expires_at: Instant
}

export const authorizationShape = {
  columns: {
    client_id: 'uuid',
    redirect_uri: 'text',
    state: 'text?',
    scopes: 'json',
    audience: 'text',
    code_challenge: 'text?',
    expires_at: 'instant',
  },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
