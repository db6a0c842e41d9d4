import { DAY, later } from '../instants.ts'
import type { Instant, Ports } from '../ports.ts'
import { ACCESS_TOKEN_SECONDS, type Audience, REFRESH_TOKEN_DAYS } from './access-token.ts'
import type { Grant } from './grant.ts'
import { idsInHandle, newHandle } from './handle.ts'
import { secretText } from './secret-text.ts'
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
  /** What the access token is for. */
  readonly audience: Audience
  readonly workspace: { readonly id: string; readonly slug: string }
}

type Approved = Pick<Grant, 'user_id' | 'client_id' | 'scopes' | 'audience'>
type Needed = Pick<Ports, 'newId' | 'random' | 'secrets'>
/** What an access token may do, which may be less than its grant. */
type Access = Pick<Issued, 'scopes' | 'audience' | 'workspace'>

const FAMILY_LENGTH = 64

/** What a refresh token names, and what it shares with those before it. */
export interface RefreshParts {
  readonly workspaceId: string
  readonly grantId: string
  /** Empty where the app has a secret. */
  readonly family: string
}

/**
 * The parts of a text of the form that refresh tokens have; `undefined` for any other.
 * @param ofProgram whether it ends in what its family shares
 */
export function partsOfRefreshToken(token: string, ofProgram: boolean): RefreshParts | undefined {
  const end = ofProgram ? token.length - FAMILY_LENGTH : token.length
  const [workspaceId, grantId] = idsInHandle(REFRESH_PREFIX, 2, token.slice(0, Math.max(0, end))) ?? []
  return workspaceId === undefined || grantId === undefined ? undefined : { workspaceId, grantId, family: token.slice(end) }
}

/**
 * A grant that is yet to be stored.
 * @param ofProgram whether a refresh token that was replaced must be told from one that never was
 */
export function newGrant(
  ports: Needed,
  { user_id, client_id, scopes, audience }: Approved,
  access: Pick<Access, 'audience' | 'workspace'>,
  at: Instant,
  ofProgram = false,
): Issued {
  const family = ofProgram ? secretText(ports.random) : ''
  const family_hash = ofProgram ? ports.secrets.hash(family) : null
  const blank = { refresh_hash: null, family_hash, refresh_expires_at: null, revoked_at: null, created_at: at, updated_at: at }
  const grant = { id: ports.newId(), user_id, client_id, scopes, audience, ...blank }
  return renewed(ports, grant, { ...access, scopes }, family, at)
}

/** The grant with another refresh token of the family, in place of the one before. */
export function renewed(
  { random, secrets }: Pick<Ports, 'random' | 'secrets'>,
  grant: Grant,
  access: Access,
  family: string,
  at: Instant,
): Issued {
  const refresh_token = newHandle(REFRESH_PREFIX, [access.workspace.id, grant.id], random) + family
  const refresh_expires_at = later(at, REFRESH_TOKEN_DAYS * DAY)
  const changed = { ...grant, refresh_hash: secrets.hash(refresh_token), refresh_expires_at, updated_at: at }
  return { grant: changed, refresh_token, ...access }
}

/** Once the grant is stored, and outside any transaction: a key may have to be read. */
export async function tokenResponse(tokens: AccessTokens, issued: Issued): Promise<TokenResponse> {
  const { grant, refresh_token, scopes, audience, workspace } = issued
  const access_token = await tokens.sign({ ...grant, audience }, workspace.id, scopes)
  return { access_token, refresh_token, token_type: 'Bearer', expires_in: ACCESS_TOKEN_SECONDS, workspace_slug: workspace.slug }
}
