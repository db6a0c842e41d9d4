import { CrmError, type RateLimitStatus } from '@sales-crm/core'
import { RetryLaterError } from '@sales-crm/core/ports'
import type { Context } from 'hono'
import type { AppEnv, Middleware } from '../app-env.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import { BodyMemoryExhaustedError, UnreadBodyError } from '../request-body.ts'
import { commonHeaders, JSON_CONTENT_TYPE, type ResponseHeaders } from '../response.ts'

/** Browsers use https for a year. It says nothing about the other names of the domain. */
const HSTS = { 'Strict-Transport-Security': 'max-age=31536000' }

/** Sets the headers of every response, including the rate limit window in which the call was counted. */
export function responseHeaders(issuer: string, rateLimits: Pick<RateLimits, 'countLocally'>): Middleware {
  const defaultHeaders = issuer.startsWith('https:') ? HSTS : {}
  return async (c, next) => {
    c.set('defaultHeaders', defaultHeaders)
    await next()
    if (c.get('isComplete')) return
    const { headers } = c.res
    const missing: ResponseHeaders = {
      ...defaultHeaders,
      ...commonHeaders(c.get('requestId'), rateLimitOf(c, rateLimits)),
    }
    for (const [name, value] of Object.entries(missing)) if (!headers.has(name)) headers.set(name, value)
    if (headers.get('Content-Type') === 'application/json') headers.set('Content-Type', JSON_CONTENT_TYPE)
    if (c.error) setErrorHeaders(headers, c.error)
  }
}

function setErrorHeaders(headers: Headers, error: Error): void {
  // The rest of the body would be taken for the next request; and a caller over its limit that does not wait costs
  // less if it has to connect again.
  if (isBodyUnread(error) || (error instanceof CrmError && error.rateLimit))
    headers.set('Connection', 'close')
  if (error instanceof RetryLaterError) headers.set('Retry-After', String(error.retryAfterSeconds))
}

function isBodyUnread(error: Error): boolean {
  return error instanceof UnreadBodyError || error instanceof BodyMemoryExhaustedError
}

/** The exceeded window, or the one in which the call was counted; a local one if it failed before that. */
function rateLimitOf(
  c: Context<AppEnv>,
  rateLimits: Pick<RateLimits, 'countLocally'>,
): RateLimitStatus | null | undefined {
  if (c.error instanceof CrmError && c.error.rateLimit) return c.error.rateLimit
  const rateLimit = c.get('rateLimit')
  return rateLimit === undefined ? rateLimits.countLocally(c.req.method, c.get('address')()) : rateLimit
}
