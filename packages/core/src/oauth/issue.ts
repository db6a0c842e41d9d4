import { DAY, later } from '../instants.ts'
import type { Instant, Ports } from '../ports.ts'
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_DAYS } from './access-token.ts'
import type { Grant } from './grant.ts'
import { newHandle } from './handle.ts'
import type { AccessTokens } from './tokens.ts'

/** A text that begins so is taken for a refresh token, whatever follows. */
export const REFRESH_PREFIX = 'crm_rt_'

/** The contract's Token response. */
export interface TokenResponse {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly workspace_slug: string
}

/** A grant, and what its tokens are made of. The refresh token works once the grant is stored. */
export interface Issued {
  readonly grant: Grant
  readonly refresh_token: string
  /** Of the access token. */
  readonly scopes: readonly string[]
  readonly workspace: { readonly id: string; readonly slug: string }
}

type Approved = Pick<Grant, 'user_id' | 'client_id' | 'scopes' | 'audience'>
type Needed = Pick<Ports, 'newId' | 'random' | 'secrets'>

/** A grant that is yet to be stored. */
export function newGrant(
  ports: Needed,
  { user_id, client_id, scopes, audience }: Approved,
  workspace: Issued['workspace'],
  at: Instant,
): Issued {
  const blank = { refresh_hash: null, refresh_expires_at: null, revoked_at: null, created_at: at, updated_at: at }
  return renewed(ports, { id: ports.newId(), user_id, client_id, scopes, audience, ...blank }, workspace, scopes, at)
}

/** The grant with another refresh token, in place of the one before. */
export function renewed(
  { random, secrets }: Pick<Ports, 'random' | 'secrets'>,
  grant: Grant,
  workspace: Issued['workspace'],
  scopes: readonly string[],
  at: Instant,
): Issued {
  const refresh_token = newHandle(REFRESH_PREFIX, [workspace.id, grant.id], random)
  const refresh_expires_at = later(at, REFRESH_TOKEN_DAYS * DAY)
  const changed = { ...grant, refresh_hash: secrets.hash(refresh_token), refresh_expires_at, updated_at: at }
  return { grant: changed, refresh_token, scopes, workspace }
}

/** Once the grant is stored, and outside any transaction: a key may have to be read. */
export async function tokenResponse(tokens: AccessTokens, { grant, refresh_token, scopes, workspace }: Issued): Promise<TokenResponse> {
  const access_token = await tokens.sign(grant, workspace.id, scopes)
  return { access_token, refresh_token, token_type: 'Bearer', expires_in: ACCESS_TOKEN_SECONDS, workspace_slug: workspace.slug }
}
