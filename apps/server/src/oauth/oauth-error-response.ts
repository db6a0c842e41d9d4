import type { CrmError } from '@sales-crm/core'
import type { Context } from 'hono'
import { acceptsHtml } from '../http/accept-header.ts'
import { STATUS } from '../http/errors.ts'
import { type ErrorFormat, errorHeaders, jsonResponse } from '../http/response.ts'
import { errorPageResponse } from '../pages/error-page-response.ts'
import { BASIC_CHALLENGE, usesBasicAuth } from './basic-auth.ts'

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
export function oauthErrorResponse(error: CrmError, c: Context, code = oauthCodeOf(error)): Response {
  const status = oauthStatusOf(error, c)
  const headers = {
    ...errorHeaders(error, status === 401 ? BASIC_CHALLENGE : undefined),
    Pragma: 'no-cache',
  }
  return jsonResponse({ error: code, error_description: errorDescription(error) }, status, headers)
}

/** Formats the errors of an authorization endpoint: an HTML page for browsers. */
export function oauthErrorOrPage(basePath: string): ErrorFormat {
  return (error, c) =>
    acceptsHtml(c.req.header('Accept'))
      ? errorPageResponse(error, c, basePath, { code: oauthCodeOf(error), status: oauthStatusOf(error, c) })
      : oauthErrorResponse(error, c)
}

/** Replaces 401 by 400, unless the client used HTTP Basic: public clients cannot authenticate. */
function oauthStatusOf({ code }: CrmError, c: Context): number {
  const status = STATUS[code]
  return status === 401 && !usesBasicAuth(c.req.header('Authorization')) ? 400 : status
}

/** Joins the message and the rules of the fields, in the characters that RFC 6749 allows. */
function errorDescription({ message, fields = {} }: CrmError): string {
  const text = [message, ...Object.entries(fields).map(([name, rule]) => `${name}: ${rule}`)].join(' ')
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, '?')
}
