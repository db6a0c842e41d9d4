import type { CrmError } from '@sales-crm/core'
import { basePathOf } from '../http/base-path.ts'
import { BodyTooLargeError } from '../http/request-body.ts'
import type { HttpResponse, ResponseHeaders } from '../http/response.ts'
import { TOOL_SCOPES } from './tool-scopes.ts'

/** JSON-RPC's own codes, and the one that is left to servers. */
export const RPC_CODES = { parse: -32700, invalidRequest: -32600, internal: -32603, server: -32000 } as const

type Status = HttpResponse['status']

/** The answer to a call as a whole, where no single message of it can be answered. */
export function rpcError(
  status: Status,
  code: number,
  message: string,
  headers: ResponseHeaders = {},
): HttpResponse {
  return { status, headers, body: { jsonrpc: '2.0', error: { code, message }, id: null } }
}

/** How callers of the service at `issuer` are refused before there is a message to answer. */
export function createRejections(issuer: string) {
  const { origin } = new URL(issuer)
  const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource${basePathOf(issuer)}/mcp"`

  return { refused: reject, lacking: insufficientScope }

  function reject(error: CrmError, request: { header(name: string): string | undefined }): HttpResponse {
    switch (error.code) {
      case 'unauthorized':
      case 'token_expired':
        return unauthorized(error, request.header('Authorization') !== undefined)
      case 'rate_limit_exceeded':
        return {
          ...rpcError(429, RPC_CODES.server, error.message, retryAfterHeader(error)),
          rateLimit: error.rateLimit,
        }
      case 'bad_request':
        return error instanceof BodyTooLargeError
          ? rpcError(413, RPC_CODES.server, error.message)
          : rpcError(400, RPC_CODES.parse, error.message)
      default:
        return rpcError(500, RPC_CODES.internal, error.message)
    }
  }

  /** RFC 9728: where to learn who gives tokens. What is asked for is everything that tools can use; whoever approves may be asked for less. */
  function unauthorized({ message }: CrmError, hadToken: boolean): HttpResponse {
    const error = hadToken ? 'error="invalid_token", ' : ''
    return challenge(401, `${error}${metadata}, scope="${TOOL_SCOPES.join(' ')}"`, 'invalid_token', message)
  }

  /** @param scopes every one that the call takes, those the token has included: a program asks for them at once */
  function insufficientScope(scopes: readonly string[]): HttpResponse {
    const challengeParameters = `error="insufficient_scope", scope="${scopes.join(' ')}", ${metadata}`
    return challenge(
      403,
      challengeParameters,
      'insufficient_scope',
      `This call requires the scopes: ${scopes.join(' ')}.`,
    )
  }
}

function challenge(
  status: Status,
  parameters: string,
  error: string,
  error_description: string,
): HttpResponse {
  return {
    status,
    headers: { 'WWW-Authenticate': `Bearer ${parameters}` },
    body: { error, error_description },
  }
}

function retryAfterHeader({ rateLimit: meter }: CrmError): ResponseHeaders {
  return meter ? { 'Retry-After': String(meter.retryAfterSeconds) } : {}
}
