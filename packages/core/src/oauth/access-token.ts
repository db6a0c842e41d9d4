import type { Instant } from '../ports.ts'

export const ACCESS_TOKEN_SECONDS = 3600
export const REFRESH_TOKEN_DAYS = 60

export interface AccessClaims {
  readonly workspace_id: string
  readonly client_id: string
  readonly service_scopes: readonly string[]
  readonly grant_id: string
  /** Unix seconds. */
  readonly exp: number
}

type Claims = Readonly<Record<string, unknown>>

/** What is wrong with a signed token, in the order the contract tells it. */
export type TokenFault = 'foreign' | 'incomplete' | 'expired'

/** What a token is for: the whole interface, or the tools at `/mcp` alone (RFC 8707). */
export type Audience = 'interface' | 'mcp'

export function audienceUrl(audience: Audience, issuer: string): string {
  return audience === 'mcp' ? `${issuer}/mcp` : issuer
}

/**
 * @param accepted what the token may be for
 * @param now undefined where it does not matter whether the token has expired
 */
export function judged(claims: Claims, issuer: string, accepted: readonly Audience[], now: Instant | undefined): AccessClaims | TokenFault {
  const { iss, aud, exp, nbf, workspace_id, client_id, service_scopes, grant_id } = claims
  const isForUs = accepted.some((each) => aud === audienceUrl(each, issuer))
  if (iss !== issuer || !isForUs || typeof exp !== 'number') return 'foreign'
  const complete = typeof workspace_id === 'string' && typeof client_id === 'string' && isListOfText(service_scopes)
  if (!complete) return 'incomplete'
  if (typeof grant_id !== 'string' || (nbf !== undefined && nbf !== null)) return 'foreign'
  if (now !== undefined && Date.parse(now) >= exp * 1000) return 'expired'
  return { workspace_id, client_id, service_scopes, grant_id, exp }
}

function isListOfText(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
