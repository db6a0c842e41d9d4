import type { Actor } from '../../../kernel/actor.ts'
import { CONSOLE_CLIENT_ID } from '../../../kernel/console-client.ts'
import { CrmError } from '../../../kernel/errors.ts'
import { isUuid } from '../../../kernel/field-schemas.ts'
import { rateLimitExceeded } from '../../../kernel/limit-errors.ts'
import { isOverLimit, type RateLimit, type RateLimitStatus } from '../../../kernel/rate-limit.ts'
import type { AccessGate } from '../../../ports/access-gate.ts'
import type { Audience } from '../../../schema/grant.ts'
import type { AccessClaims } from './access-token-claims.ts'
import type { AccessTokens } from './access-tokens.ts'

/** The rate limits of a call. An undefined limit is off. */
export interface CallLimits {
  /** The limit of a call with a valid token. */
  forApp(clientId: string, workspaceId: string): RateLimit | undefined
  /** The limit of a call without a valid token, by its network address. */
  readonly forAddress: RateLimit | undefined
  /** False or absent if the call may write. */
  readonly isRead?: boolean
}

/** The result of authentication: exactly one of `actor` and `error` is present. */
export interface Authentication {
  /** The member who approved the grant, with their current role. */
  readonly actor?: Actor
  /** `unauthorized`, `token_expired` or `rate_limit_exceeded`: to be returned, it is not thrown. */
  readonly error?: CrmError
  /** The rate limit the call was counted against, also if it was rejected. */
  readonly rateLimit?: RateLimitStatus | undefined
}

/**
 * Authenticates a call by its Authorization header.
 * @param audience the audience of the endpoint. A token for `interface` is valid for `mcp` too. A token for
 * `mcp` is valid for nothing else.
 */
export type Authenticate = (
  authorization: string | undefined,
  limits: CallLimits,
  audience?: Audience,
) => Promise<Authentication>

const ACCEPTED_AUDIENCES: Readonly<Record<Audience, readonly Audience[]>> = {
  interface: ['interface'],
  mcp: ['interface', 'mcp'],
}

/**
 * Returns a function that checks the token first and then the rate limit of its app. A call without a valid
 * token counts against the rate limit of its address.
 */
export function createAuthenticator(tokens: AccessTokens, accessGate: AccessGate): Authenticate {
  return async (authorization, limits, audience = 'interface') => {
    const token = parseBearerToken(authorization)
    if (token === undefined) return reject('Missing or invalid Authorization header.', limits)
    const claims = await tokens.verify(token, ACCEPTED_AUDIENCES[audience])
    if (claims === 'expired') {
      return reject('Access token expired. Refresh using the refresh token.', limits, 'token_expired')
    }
    if (claims === 'incomplete') return reject('Token is missing required claims.', limits)
    if (typeof claims === 'string') return reject('Invalid or malformed token.', limits)

    const { workspace_id, client_id, service_scopes, grant_id } = claims
    const limit = limits.forApp(subjectOf(claims), workspace_id)
    const isWellFormed = isUuid(workspace_id) && isUuid(grant_id)
    const authorized = isWellFormed
      ? await accessGate.authorize({ workspace_id, id: grant_id }, limit, limits.isRead)
      : undefined
    if (!authorized || authorized.grant.client_id !== client_id)
      return reject('Invalid or malformed token.', limits)

    const { rateLimit } = authorized
    if (isOverLimit(rateLimit)) return { error: rateLimitExceeded(rateLimit), rateLimit }
    const { user_id, role } = authorized.grant
    return {
      actor: {
        workspaceId: workspace_id,
        userId: user_id,
        role,
        clientId: client_id,
        scopes: new Set(service_scopes),
      },
      rateLimit,
    }
  }

  async function reject(
    message: string,
    { forAddress }: CallLimits,
    code: 'unauthorized' | 'token_expired' = 'unauthorized',
  ): Promise<Authentication> {
    const rateLimit = forAddress && (await accessGate.count(forAddress))
    return {
      error: isOverLimit(rateLimit) ? rateLimitExceeded(rateLimit) : new CrmError(code, message),
      rateLimit,
    }
  }
}

/** The calls of an app are counted together, those of the console for each member. */
function subjectOf({ client_id, user_id }: AccessClaims): string {
  return client_id === CONSOLE_CLIENT_ID ? `${client_id}:${user_id}` : client_id
}

function parseBearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization ?? '')?.[1]
}
