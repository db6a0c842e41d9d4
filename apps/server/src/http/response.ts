import type { CrmError, RateLimitStatus } from '@sales-crm/core'
import type { Context } from 'hono'
import type { AppEnv } from './app-env.ts'
import { detailedErrorBody, errorBody, STATUS } from './errors.ts'

export type ResponseHeaders = Record<string, string>

export const JSON_CONTENT_TYPE = 'application/json; charset=utf-8'

/** Formats an error for the clients of some routes. */
export type ErrorFormat = (error: CrmError, c: Context) => Response

export function jsonResponse(body: object, status = 200, headers: ResponseHeaders = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, 'Content-Type': JSON_CONTENT_TYPE },
  })
}

/** Headers of every response. */
export function commonHeaders(
  requestId: string,
  rateLimit: RateLimitStatus | null | undefined,
): ResponseHeaders {
  const headers: ResponseHeaders = {
    'X-Request-ID': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  }
  if (!rateLimit) return headers
  headers['X-RateLimit-Limit'] = String(rateLimit.limit)
  headers['X-RateLimit-Remaining'] = String(Math.max(0, rateLimit.limit - rateLimit.used))
  headers['X-RateLimit-Reset'] = String(rateLimit.resetsAt)
  return headers
}

/**
 * Responds with all headers at once, where most calls are: headers that are set before or after `c.json` become
 * a `Headers` object, which takes a tenth of the time of a GET. The middleware `responseHeaders` then does
 * nothing.
 */
export function respond(
  c: Context<AppEnv>,
  body: string | Uint8Array<ArrayBuffer>,
  status = 200,
  headers: ResponseHeaders = {},
): Response {
  c.set('isComplete', true)
  return new Response(body, {
    status,
    headers: {
      ...c.get('defaultHeaders'),
      ...commonHeaders(c.get('requestId'), c.get('rateLimit')),
      ...headers,
      'Content-Type': JSON_CONTENT_TYPE,
    },
  })
}

/** As `c.json`. */
export function respondJson(
  c: Context<AppEnv>,
  body: object,
  status?: number,
  headers?: ResponseHeaders,
): Response {
  return respond(c, JSON.stringify(body), status, headers)
}

/** Characters of a page from which on it is encoded record by record. */
const LARGE_PAGE = 256 * 1024

/** Responds with a page. The text of a large one would take several times its size while it grows. */
export function respondList(
  c: Context<AppEnv>,
  { data, ...others }: { readonly data: readonly object[] },
  headers: ResponseHeaders = {},
): Response {
  const records = data.map((record) => JSON.stringify(record))
  const end = Object.keys(others).length > 0 ? `],${JSON.stringify(others).slice(1)}` : ']}'
  if (records.reduce((sum, { length }) => sum + length, 0) < LARGE_PAGE)
    return respond(c, `{"data":[${records.join(',')}${end}`, 200, headers)
  const parts = records.map((record, index) => Buffer.from(index === 0 ? record : `,${record}`))
  return respond(c, Buffer.concat([Buffer.from('{"data":['), ...parts, Buffer.from(end)]), 200, headers)
}

/** The contract's error response. `challenge` is the `WWW-Authenticate` value of a 401. */
export function errorResponse(error: CrmError, requestId: string, challenge = 'Bearer'): Response {
  return jsonResponse(errorBody(error, requestId), STATUS[error.code], errorHeaders(error, challenge))
}

/** For endpoints beside the contract. */
export const formatDetailedError: ErrorFormat = (error, c) =>
  jsonResponse(
    detailedErrorBody(error, c.get('requestId')),
    STATUS[error.code],
    errorHeaders(error, 'Bearer'),
  )

/** @param challenge undefined for a response that is not a 401, whatever the error */
export function errorHeaders(error: CrmError, challenge: string | undefined): ResponseHeaders {
  const headers: ResponseHeaders = {}
  if (STATUS[error.code] === 401 && challenge !== undefined) headers['WWW-Authenticate'] = challenge
  if (error.scope !== undefined)
    headers['WWW-Authenticate'] = `Bearer error="insufficient_scope", scope="${error.scope}"`
  if (error.existingIds) headers['X-Existing-Id'] = error.existingIds.join(', ')
  if (error.rateLimit) headers['Retry-After'] = String(error.rateLimit.retryAfterSeconds)
  return headers
}
