import { createOpaqueToken, parseOpaqueToken } from '../../../engine/opaque-token.ts'
import { addSeconds, DAY, type Instant } from '../../../kernel/instant.ts'
import { randomHex } from '../../../kernel/random-hex.ts'
import type { Ports } from '../../../ports/index.ts'
import type { Audience, Grant } from '../../../schema/grant.ts'
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_DAYS } from './access-token-claims.ts'
import type { AccessTokens } from './access-tokens.ts'

/** The prefix of refresh tokens. A text with this prefix is treated as one. */
export const REFRESH_PREFIX = 'crm_rt_'

/** The contract's Token response. */
export interface TokenResponse {
  /** A JWT, for the header `Authorization: Bearer …`. */
  readonly access_token: string
  /** Valid for one refresh, within 60 days. */
  readonly refresh_token: string
  readonly token_type: 'Bearer'
  /** Seconds until the access token expires: 3600. */
  readonly expires_in: number
  /** The workspace that the user chose. */
  readonly workspace_slug: string
}

/** A grant and the contents of its tokens. The refresh token is valid after the grant is stored. */
export interface IssuedTokens {
  readonly grant: Grant
  readonly refresh_token: string
  /** The scopes of the access token. */
  readonly scopes: readonly string[]
  /** The audience of the access token. */
  readonly audience: Audience
  readonly workspace: { readonly id: string; readonly slug: string }
}

type GrantFields = Pick<Grant, 'user_id' | 'client_id' | 'scopes' | 'audience'>
type RequiredPorts = Pick<Ports, 'newId' | 'random' | 'secrets'>
/** The access of a token, which may be less than that of its grant. */
type TokenAccess = Pick<IssuedTokens, 'scopes' | 'audience' | 'workspace'>

const FAMILY_LENGTH = 64

/** The parts of a refresh token. All refresh tokens of a public client's grant share the family. */
export interface RefreshParts {
  readonly workspaceId: string
  readonly grantId: string
  /** Empty for a confidential app. */
  readonly family: string
}

/**
 * Parses a refresh token. Returns `undefined` if the format is wrong.
 * @param isPublicClient true if the token ends in a family
 */
export function parseRefreshToken(token: string, isPublicClient: boolean): RefreshParts | undefined {
  const end = isPublicClient ? token.length - FAMILY_LENGTH : token.length
  const [workspaceId, grantId] = parseOpaqueToken(REFRESH_PREFIX, 2, token.slice(0, Math.max(0, end))) ?? []
  return workspaceId === undefined || grantId === undefined
    ? undefined
    : { workspaceId, grantId, family: token.slice(end) }
}

/**
 * Creates a grant with its tokens. The caller stores it.
 * @param isPublicClient true to give the refresh tokens a family, which tells a replaced token from a forged
 * one
 */
export function createGrant(
  ports: RequiredPorts,
  { user_id, client_id, scopes, audience }: GrantFields,
  access: Pick<TokenAccess, 'audience' | 'workspace'>,
  at: Instant,
  isPublicClient = false,
): IssuedTokens {
  const family = isPublicClient ? randomHex(ports.random) : ''
  const family_hash = isPublicClient ? ports.secrets.hash(family) : null
  const defaults = {
    refresh_hash: null,
    family_hash,
    refresh_expires_at: null,
    revoked_at: null,
    created_at: at,
    updated_at: at,
  }
  const grant = { id: ports.newId(), user_id, client_id, scopes, audience, ...defaults }
  return renewGrant(ports, grant, { ...access, scopes }, family, at)
}

/** Returns the grant with a new refresh token of the family, which replaces the previous one. */
export function renewGrant(
  { random, secrets }: Pick<Ports, 'random' | 'secrets'>,
  grant: Grant,
  access: TokenAccess,
  family: string,
  at: Instant,
): IssuedTokens {
  const refresh_token = createOpaqueToken(REFRESH_PREFIX, [access.workspace.id, grant.id], random) + family
  const refresh_expires_at = addSeconds(at, REFRESH_TOKEN_DAYS * DAY)
  const updated = { ...grant, refresh_hash: secrets.hash(refresh_token), refresh_expires_at, updated_at: at }
  return { grant: updated, refresh_token, ...access }
}

/** Signs the access token. Call after the grant is stored and outside any transaction: it may load a key. */
export async function buildTokenResponse(
  tokens: AccessTokens,
  tokensIssued: IssuedTokens,
): Promise<TokenResponse> {
  const { grant, refresh_token, scopes, audience, workspace } = tokensIssued
  const access_token = await tokens.sign({ ...grant, audience }, workspace.id, scopes)
  return {
    access_token,
    refresh_token,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    workspace_slug: workspace.slug,
  }
}
