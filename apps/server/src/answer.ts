import type { CrmError, Meter } from '@sales-crm/core'
import { errorBody, STATUS } from './errors.ts'

/** What a handler gives: a status of the contract and the body that goes with it. */
export interface Reply {
  readonly status: 200 | 201 | 204 | 503
  /** Sent as JSON. */
  readonly body?: object
  /** Sent as it is, with a `Content-Type` among the headers. */
  readonly bytes?: Uint8Array<ArrayBuffer>
  /** Beside those every answer carries. */
  readonly headers?: Headers
}

export type Headers = Record<string, string>

const JSON_TYPE = 'application/json; charset=utf-8'

export const NO_CONTENT: Reply = { status: 204 }

export function ok(body: object): Reply {
  return { status: 200, body }
}

export function created(body: object, headers: Headers = {}): Reply {
  return { status: 201, body, headers }
}

/** What every answer carries, whatever it says. */
function commonHeaders(requestId: string, meter: Meter | undefined): Headers {
  const headers: Headers = { 'X-Request-ID': requestId, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' }
  if (!meter) return headers
  headers['X-RateLimit-Limit'] = String(meter.limit)
  headers['X-RateLimit-Remaining'] = String(Math.max(0, meter.limit - meter.used))
  headers['X-RateLimit-Reset'] = String(meter.resets)
  return headers
}

export function answer({ status, body, bytes, headers: own }: Reply, requestId: string, meter: Meter | undefined): Response {
  const headers = { ...commonHeaders(requestId, meter), ...own }
  if (body === undefined) return new Response(bytes ?? null, { status, headers })
  headers['Content-Type'] = JSON_TYPE
  return new Response(JSON.stringify(body), { status, headers })
}

/** The status, headers and text that tell a caller of an error. */
export function refusal(error: CrmError, requestId: string, meter: Meter | undefined) {
  const status = STATUS[error.code]
  const headers = commonHeaders(requestId, meter)
  headers['Content-Type'] = JSON_TYPE
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer'
  if (error.scope !== undefined) headers['WWW-Authenticate'] = `Bearer error="insufficient_scope", scope="${error.scope}"`
  if (error.code === 'rate_limit_exceeded' && meter) headers['Retry-After'] = String(meter.wait)
  return { status, headers, body: JSON.stringify(errorBody(error, requestId)) }
}
