import type { RequestOrigin } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import type { EndpointLimit } from '../http/rate-limits.ts'
import type { HttpResponse, Rejection } from '../http/response.ts'
import type { Operation } from '../openapi/operation.ts'

export interface OAuthRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Rate limit of the endpoint. Without one, calls count as GETs of their address. */
  readonly limit?: EndpointLimit
  readonly reject?: Rejection
  handler(request: HonoRequest, from: RequestOrigin): Promise<HttpResponse>
}

/** A route of an issuer that the OpenAPI document describes. */
export interface DocumentedOAuthRoute extends OAuthRoute {
  /** Null for an alias of a documented route. */
  readonly operation: Operation | null
}

/** Keeps proxies that only know HTTP/1.0 from caching tokens. */
export const NO_CACHE_HEADERS = { Pragma: 'no-cache' }
const METADATA_HEADERS = { 'Cache-Control': 'public, max-age=3600' }

export function metadataResponse(metadata: object): HttpResponse {
  return { status: 200, body: metadata, headers: METADATA_HEADERS }
}
