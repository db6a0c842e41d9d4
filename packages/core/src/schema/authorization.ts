import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Audience } from './grant.ts'

/** An authorization request of an app, until the user decides. */
export interface Authorization extends RecordBase {
  readonly updated_at: Instant
  readonly client_id: string
  readonly redirect_uri: string
  /** Percent-encoded, as it is returned: it may contain characters that a text column cannot. */
  readonly state: string | null
  readonly scopes: readonly string[]
  /** The audience of the tokens it leads to. */
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
