import { type CallLimits, type CountedMethod, type Crm, requireScope, SCOPES } from '@sales-crm/core'
import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'
import type { RateLimits } from '../rate-limits.ts'

export interface RouteAccess {
  /** The required scope; null if any valid token is sufficient. */
  readonly scope: string | null
  /** A scope accepted in place of `scope`; errors do not name it. */
  readonly alternativeScope?: string
}

/** Middleware that lets in calls with a token of this scope. */
export type Authorize = (access: RouteAccess) => MiddlewareHandler<AppEnv>

/**
 * Authentication and rate limit are one step, because both are one statement of the database. A call without a
 * valid token is counted by its address.
 */
export function createAuthorize(crm: Pick<Crm, 'createAuthenticator' | 'usage'>, rateLimits: RateLimits) {
  const authenticateCall = createAuthenticateCall(crm, rateLimits)

  /** @throws Error for a scope that does not exist */
  const authorize: Authorize = ({ scope, alternativeScope }) => {
    for (const each of [scope, alternativeScope])
      if (typeof each === 'string' && !SCOPES.includes(each)) throw new Error(`There is no scope ${each}.`)
    return async (c, next) => {
      const limits = rateLimits.limitsFor(c.req.method, c.get('address'))
      await authenticateCall(c, limits)
      if (scope !== null) requireScope(c.get('actor'), scope, alternativeScope)
      await next()
    }
  }
  return authorize
}

/** Returns a function that sets the actor and the window in which the call was counted. */
export function createAuthenticateCall(
  { createAuthenticator, usage }: Pick<Crm, 'createAuthenticator' | 'usage'>,
  { gate }: Pick<RateLimits, 'gate'>,
) {
  const authenticate = createAuthenticator(gate)
  /** @throws CrmError `unauthorized`, `token_expired`, `rate_limit_exceeded` */
  return async (
    c: Context<AppEnv>,
    limits: CallLimits,
    audience?: Parameters<typeof authenticate>[2],
  ): Promise<void> => {
    const authentication = await authenticate(c.req.header('Authorization'), limits, audience)
    c.set('rateLimit', authentication.rateLimit ?? null)
    if (!authentication.actor) throw authentication.error
    c.set('actor', authentication.actor)
    usage.count(authentication.actor, audience === 'mcp' ? 'POST' : countedMethodOf(c.req.method))
  }
}

/** A HEAD is served as a GET. No other method has routes. */
function countedMethodOf(method: string): CountedMethod {
  return method === 'HEAD' ? 'GET' : (method as CountedMethod)
}
