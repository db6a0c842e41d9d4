import type { CrmError } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import { acceptsHtml } from '../http/accept-header.ts'
import { errorResponse, type HttpResponse, type ResponseHeaders } from '../http/response.ts'
import { errorPageResponse } from '../pages/error-page-response.ts'
import { BASIC_CHALLENGE, usesBasicAuth } from './basic-auth.ts'

type RequestHeaders = Pick<HonoRequest, 'header'>

/** RFC codes of errors that have a different code in the API. */
const OAUTH_CODES: Readonly<Record<string, string>> = {
  bad_request: 'invalid_request',
  internal_error: 'server_error',
  rate_limit_exceeded: 'temporarily_unavailable',
}

function oauthCodeOf({ code, rfcCode }: CrmError): string {
  return rfcCode ?? OAUTH_CODES[code] ?? code
}

/** Builds an error response in the format of RFC 6749, section 5.2. */
export function oauthErrorResponse(
  error: CrmError,
  request: RequestHeaders,
  requestId: string,
  code = oauthCodeOf(error),
): HttpResponse {
  const { status, headers, rateLimit } = withOAuthStatus(error, request, requestId)
  return {
    status,
    headers: { ...headers, Pragma: 'no-cache' },
    body: { error: code, error_description: errorDescription(error) },
    rateLimit,
  }
}

/** Builds the error response of the authorization endpoint: an HTML page for browsers. */
export function oauthErrorResponseOrPage(
  error: CrmError,
  request: RequestHeaders,
  requestId: string,
  basePath: string,
): HttpResponse {
  if (!acceptsHtml(request.header('Accept'))) return oauthErrorResponse(error, request, requestId)
  const { headers = {}, ...page } = errorPageResponse(error, request, requestId, basePath, oauthCodeOf(error))
  return {
    ...page,
    status: withOAuthStatus(error, request, requestId).status,
    headers: withoutChallenge(headers),
  }
}

/** Replaces 401 by 400, unless the client used HTTP Basic: public clients cannot authenticate. */
function withOAuthStatus(
  error: CrmError,
  request: RequestHeaders,
  requestId: string,
): Pick<HttpResponse, 'status' | 'rateLimit'> & { readonly headers: ResponseHeaders } {
  const { status, headers = {}, rateLimit } = errorResponse(error, requestId, BASIC_CHALLENGE)
  if (status !== 401 || usesBasicAuth(request.header('Authorization'))) return { status, headers, rateLimit }
  return { status: 400, headers: withoutChallenge(headers), rateLimit }
}

function withoutChallenge({ 'WWW-Authenticate': _, ...headers }: ResponseHeaders): ResponseHeaders {
  return headers
}

/** Joins the message and the rules of the fields, in the characters that RFC 6749 allows. */
function errorDescription({ message, fields = {} }: CrmError): string {
  const text = [message, ...Object.entries(fields).map(([name, rule]) => `${name}: ${rule}`)].join(' ')
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, '?')
}
