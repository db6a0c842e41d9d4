import type { Instant } from '../../../kernel/instant.ts'
import type { Audience } from '../../../schema/grant.ts'

export const ACCESS_TOKEN_SECONDS = 3600
export const REFRESH_TOKEN_DAYS = 60

export interface AccessClaims {
  readonly workspace_id: string
  readonly client_id: string
  readonly service_scopes: readonly string[]
  readonly grant_id: string
  /** The member who approved the grant; empty in a token of another form. */
  readonly user_id: string
  /** Unix seconds. */
  readonly exp: number
}

type Claims = Readonly<Record<string, unknown>>

/** The errors of a correctly signed token, in the order of the contract. */
export type TokenError = 'foreign' | 'incomplete' | 'expired'

export function getAudienceUrl(audience: Audience, issuer: string): string {
  return audience === 'mcp' ? `${issuer}/mcp` : issuer
}

/**
 * @param audiences the accepted audiences
 * @param now undefined to accept expired tokens
 */
export function parseClaims(
  claims: Claims,
  issuer: string,
  audiences: readonly Audience[],
  now: Instant | undefined,
): AccessClaims | TokenError {
  const { iss, aud, exp, nbf, sub, workspace_id, client_id, service_scopes, grant_id } = claims
  const hasAcceptedAudience = audiences.some((audience) => aud === getAudienceUrl(audience, issuer))
  if (iss !== issuer || !hasAcceptedAudience || typeof exp !== 'number') return 'foreign'
  const isComplete =
    typeof workspace_id === 'string' && typeof client_id === 'string' && isStringArray(service_scopes)
  if (!isComplete) return 'incomplete'
  if (typeof grant_id !== 'string' || (nbf !== undefined && nbf !== null)) return 'foreign'
  if (now !== undefined && Date.parse(now) >= exp * 1000) return 'expired'
  const user_id = typeof sub === 'string' ? sub : ''
  return { workspace_id, client_id, service_scopes, grant_id, user_id, exp }
}

function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
