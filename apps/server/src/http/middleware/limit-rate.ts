import { isOverLimit, type RateLimitStatus, rateLimitExceeded } from '@sales-crm/core'
import type { Context } from 'hono'
import type { AppEnv, Middleware } from '../app-env.ts'
import type { EndpointLimit, RateLimits } from '../limits/rate-limits.ts'
import { matchedPath } from '../mount-path.ts'

/** Counts calls as GETs of their address, for routes that need no token. */
export function limitByAddress(rateLimits: Pick<RateLimits, 'countAddress'>): Middleware {
  return async (c, next) => {
    enforceRateLimit(c, await rateLimits.countAddress('GET', c.get('address')()))
    await next()
  }
}

/** Counts calls of a session, from any address. */
export function limitBySession(rateLimits: Pick<RateLimits, 'countSession'>) {
  return async (c: Context<AppEnv>, sessionId: string): Promise<void> =>
    enforceRateLimit(c, await rateLimits.countSession(sessionId))
}

/** Counts calls of an endpoint by their address, in windows of the endpoint. */
export function limitEndpoint(
  limit: EndpointLimit,
  rateLimits: Pick<RateLimits, 'countEndpoint'>,
): Middleware {
  return async (c, next) => {
    enforceRateLimit(c, await rateLimits.countEndpoint(limit, matchedPath(c) ?? '', c.get('address')()))
    await next()
  }
}

/** @throws CrmError `rate_limit_exceeded` */
export function enforceRateLimit(c: Context<AppEnv>, rateLimit: RateLimitStatus | undefined): void {
  c.set('rateLimit', rateLimit ?? null)
  if (isOverLimit(rateLimit)) throw rateLimitExceeded(rateLimit)
}
