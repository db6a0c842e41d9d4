import type { CrmError, RateLimitStatus } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import { errorBody, STATUS } from './errors.ts'

/** The result of a handler. */
export interface HttpResponse {
  readonly status:
    | 200
    | 201
    | 202
    | 204
    | 303
    | 400
    | 401
    | 403
    | 404
    | 405
    | 409
    | 413
    | 415
    | 422
    | 429
    | 500
    | 503
  /** Serialised as JSON. */
  readonly body?: object
  /** Sent unchanged; `headers` must contain a `Content-Type`. */
  readonly raw?: Uint8Array<ArrayBuffer> | string
  /** In addition to the common headers. */
  readonly headers?: ResponseHeaders
  /** One `Set-Cookie` header each. */
  readonly cookies?: readonly string[]
  /** The exceeded window, if it is not the one the call was counted in. */
  readonly rateLimit?: RateLimitStatus | undefined
  /** A note for the operator's log. */
  readonly notice?: string
}

export type ResponseHeaders = Record<string, string>

/** Formats an error in a form other than the contract's; `undefined` selects the contract's form. */
export type Rejection = (
  error: CrmError,
  request: Pick<HonoRequest, 'header'>,
  requestId: string,
) => HttpResponse | undefined

const JSON_CONTENT_TYPE = 'application/json; charset=utf-8'

export const NO_CONTENT: HttpResponse = { status: 204 }

export function okResponse(body: object): HttpResponse {
  return { status: 200, body }
}

export function createdResponse(body: object, headers: ResponseHeaders = {}): HttpResponse {
  return { status: 201, body, headers }
}

/** Headers of every response. */
function commonHeaders(requestId: string, rateLimit: RateLimitStatus | undefined): ResponseHeaders {
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

/** The headers and the body text of a response. */
function serialize(response: HttpResponse, requestId: string, defaultRateLimit: RateLimitStatus | undefined) {
  const { raw = null, headers, rateLimit = defaultRateLimit } = serializeBody(response)
  return { headers: { ...commonHeaders(requestId, rateLimit), ...headers }, text: raw }
}

/** The response with its body as text, or as bytes for a list. */
export function serializeBody(response: HttpResponse): HttpResponse {
  const { body, headers, ...others } = response
  if (body === undefined) return response
  const raw = isList(body) ? serializeList(body) : JSON.stringify(body)
  return { ...others, raw, headers: { ...headers, 'Content-Type': JSON_CONTENT_TYPE } }
}

interface List {
  readonly data: readonly object[]
}

function isList(body: object): body is List {
  return 'data' in body && Array.isArray(body.data)
}

/** Serialises record by record: the text of a whole page would take several times its size while it grows. */
function serializeList({ data, ...others }: List): Buffer<ArrayBuffer> {
  const records = data.map((record, index) =>
    Buffer.from(`${index === 0 ? '' : ','}${JSON.stringify(record)}`),
  )
  const end = Object.keys(others).length > 0 ? `],${JSON.stringify(others).slice(1)}` : ']}'
  return Buffer.concat([Buffer.from('{"data":['), ...records, Buffer.from(end)])
}

export function toResponse(
  httpResponse: HttpResponse,
  requestId: string,
  rateLimit: RateLimitStatus | undefined,
  defaultHeaders: ResponseHeaders = {},
): Response {
  const { headers, text } = serialize(httpResponse, requestId, rateLimit)
  const response = new Response(text, {
    status: httpResponse.status,
    headers: { ...defaultHeaders, ...headers },
  })
  for (const cookie of httpResponse.cookies ?? []) response.headers.append('Set-Cookie', cookie)
  return response
}

/** The contract's error response. `challenge` is the `WWW-Authenticate` value of a 401. */
export function errorResponse(error: CrmError, requestId: string, challenge = 'Bearer'): HttpResponse {
  const status = STATUS[error.code]
  const headers: ResponseHeaders = {}
  if (status === 401) headers['WWW-Authenticate'] = challenge
  if (error.scope !== undefined)
    headers['WWW-Authenticate'] = `Bearer error="insufficient_scope", scope="${error.scope}"`
  if (error.rateLimit) headers['Retry-After'] = String(error.rateLimit.retryAfterSeconds)
  return { status, headers, body: errorBody(error, requestId), rateLimit: error.rateLimit }
}

/** The parts of an error response, for a connection without a request. */
export function rawErrorResponse(error: CrmError, requestId: string, rateLimit: RateLimitStatus | undefined) {
  const response = errorResponse(error, requestId)
  return {
    status: response.status,
    headers: serialize(response, requestId, rateLimit).headers,
    body: JSON.stringify(response.body),
  }
}
