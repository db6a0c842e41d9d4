import type { CrmError, Meter } from '@sales-crm/core'
import { errorBody, STATUS } from './errors.ts'

/** What a handler gives: a status of the contract and the body that goes with it. */
export interface Reply {
  readonly status: 200 | 201 | 204 | 503
  readonly body?: object
}

export type Headers = Record<string, string>

const JSON_TYPE = 'application/json; charset=utf-8'

export const NO_CONTENT: Reply = { status: 204 }

export function ok(body: object): Reply {
  return { status: 200, body }
}

export function created(body: object): Reply {
  return { status: 201, body }
}

/** What every answer carries, whatever it says. */
export function commonHeaders(requestId: string, meter: Meter | undefined): Headers {
  const headers: Headers = { 'X-Request-ID': requestId, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' }
  if (!meter) return headers
  headers['X-RateLimit-Limit'] = String(meter.limit)
  headers['X-RateLimit-Remaining'] = String(Math.max(0, meter.limit - meter.used))
  headers['X-RateLimit-Reset'] = String(meter.resets)
  return headers
}

export function answer({ status, body }: Reply, requestId: string, meter: Meter | undefined): Response {
  const headers = commonHeaders(requestId, meter)
  if (body === undefined) return new Response(null, { status, headers })
  headers['Content-Type'] = JSON_TYPE
  return new Response(JSON.stringify(body), { status, headers })
}

/** The status, headers and text that tell a caller of an error. `scope` is the one the route asks for. */
export function refusal(error: CrmError, requestId: string, meter: Meter | undefined, scope: string | null = null) {
  const status = STATUS[error.code]
  const headers = commonHeaders(requestId, meter)
  headers['Content-Type'] = JSON_TYPE
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer'
  if (error.code === 'insufficient_scope') headers['WWW-Authenticate'] = `Bearer error="insufficient_scope", scope="${scope}"`
  if (error.code === 'rate_limit_exceeded' && meter) headers['Retry-After'] = String(meter.wait)
  return { status, headers, body: JSON.stringify(errorBody(error, requestId)) }
}
