import type { CrmError, Meter } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import { errorBody, STATUS } from './errors.ts'

/** What a handler gives: a status and what goes with it. */
export interface Reply {
  readonly status: 200 | 201 | 202 | 204 | 303 | 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503
  /** Sent as JSON. */
  readonly body?: object
  /** Sent as it is, with a `Content-Type` among the headers. */
  readonly raw?: Uint8Array<ArrayBuffer> | string
  /** Beside those every answer carries. */
  readonly headers?: Headers
  /** Each is a `Set-Cookie` of its own. */
  readonly cookies?: readonly string[]
  /** The window that is used up, where that is another than the one the call was counted in. */
  readonly meter?: Meter | undefined
  /** What the operator's log says of it. */
  readonly notice?: string
}

export type Headers = Record<string, string>

/** What a refusal looks like, where it is another than everywhere. `undefined` where it is not. */
export type Refused = (error: CrmError, request: Pick<HonoRequest, 'header'>, requestId: string) => Reply | undefined

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

/** The headers and the text of an answer. */
function written({ body, raw, headers: own, meter }: Reply, requestId: string, counted: Meter | undefined) {
  const headers = { ...commonHeaders(requestId, meter ?? counted), ...own }
  if (body === undefined) return { headers, text: raw ?? null }
  headers['Content-Type'] = JSON_TYPE
  return { headers, text: JSON.stringify(body) }
}

export function answer(reply: Reply, requestId: string, meter: Meter | undefined): Response {
  const { headers, text } = written(reply, requestId, meter)
  const response = new Response(text, { status: reply.status, headers })
  for (const cookie of reply.cookies ?? []) response.headers.append('Set-Cookie', cookie)
  return response
}

/** What tells a caller of an error. `challenge` says how to authenticate. */
export function refusal(error: CrmError, requestId: string, challenge = 'Bearer'): Reply {
  const status = STATUS[error.code]
  const headers: Headers = {}
  if (status === 401) headers['WWW-Authenticate'] = challenge
  if (error.scope !== undefined) headers['WWW-Authenticate'] = `Bearer error="insufficient_scope", scope="${error.scope}"`
  if (error.meter) headers['Retry-After'] = String(error.meter.wait)
  return { status, headers, body: errorBody(error, requestId), meter: error.meter }
}

/** A refusal taken apart, for where there is no request to answer. */
export function rawRefusal(error: CrmError, requestId: string, meter: Meter | undefined) {
  const told = refusal(error, requestId)
  return { status: told.status, headers: written(told, requestId, meter).headers, body: JSON.stringify(told.body) }
}
