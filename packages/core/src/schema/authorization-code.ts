import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Audience } from './grant.ts'

export const CODE_PREFIX = 'crm_ac_'

/** An authorization code. It is stored for a while after its use, so that a second use is detected. */
export interface AuthorizationCode extends RecordBase {
  readonly updated_at: Instant
  readonly token_hash: string
  readonly client_id: string
  readonly redirect_uri: string
  readonly scopes: readonly string[]
  /** The audience of its tokens. */
  readonly audience: Audience
  readonly code_challenge: string | null
  readonly workspace_id: string
  readonly user_id: string
  /** The grant it was exchanged for; null before. */
  readonly grant_id: string | null
  readonly expires_at: Instant
}

export const authorizationCodeShape = {
  columns: {
    token_hash: 'text',
    client_id: 'uuid',
    redirect_uri: 'text',
    scopes: 'json',
    audience: 'text',
    code_challenge: 'text?',
    workspace_id: 'uuid',
    user_id: 'uuid',
    grant_id: 'uuid?',
    expires_at: 'instant',
  },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
