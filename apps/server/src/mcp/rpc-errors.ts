import type { CrmError } from '@sales-crm/core'
import { basePathOf } from '../http/base-path.ts'
import { BodyTooLargeError } from '../http/request-body.ts'
import { type ErrorFormat, jsonResponse, type ResponseHeaders } from '../http/response.ts'
import { TOOL_SCOPES } from './tool-scopes.ts'

/** Error codes of JSON-RPC. `server` is from the range reserved for servers. */
export const RPC_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
  server: -32000,
} as const

/** Responds to a call as a whole, when none of its messages can be handled. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  headers: ResponseHeaders = {},
): Response {
  return jsonResponse({ jsonrpc: '2.0', error: { code, message }, id: null }, status, headers)
}

/** Creates the responses to calls that are rejected before a message is handled. */
export function createRejections(issuer: string) {
  const { origin } = new URL(issuer)
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource${basePathOf(issuer)}/mcp`
  const metadata = `resource_metadata="${metadataUrl}"`

  const formatError: ErrorFormat = (error, c) => {
    switch (error.code) {
      case 'unauthorized':
      case 'token_expired':
        return unauthorized(error, c.req.header('Authorization') !== undefined)
      case 'rate_limit_exceeded':
        return rpcError(429, RPC_CODES.server, error.message, retryAfterHeader(error))
      case 'bad_request':
        return error instanceof BodyTooLargeError
          ? rpcError(413, RPC_CODES.server, error.message)
          : rpcError(400, RPC_CODES.parse, error.message)
      default:
        return rpcError(500, RPC_CODES.internal, error.message)
    }
  }
  return { formatError, insufficientScope }

  /**
   * Points to the metadata of RFC 9728. `scope` lists all scopes of the tools; users may be asked for fewer.
   */
  function unauthorized({ message }: CrmError, hadToken: boolean): Response {
    const error = hadToken ? 'error="invalid_token", ' : ''
    return challenge(401, `${error}${metadata}, scope="${TOOL_SCOPES.join(' ')}"`, 'invalid_token', message)
  }

  /**
   * @param scopes all scopes that the call needs, granted ones included: the client requests them together
   */
  function insufficientScope(scopes: readonly string[]): Response {
    const challengeParameters = `error="insufficient_scope", scope="${scopes.join(' ')}", ${metadata}`
    return challenge(
      403,
      challengeParameters,
      'insufficient_scope',
      `This call requires the scopes: ${scopes.join(' ')}.`,
    )
  }
}

function challenge(status: number, parameters: string, error: string, error_description: string): Response {
  return jsonResponse({ error, error_description }, status, { 'WWW-Authenticate': `Bearer ${parameters}` })
}

function retryAfterHeader({ rateLimit }: CrmError): ResponseHeaders {
  return rateLimit ? { 'Retry-After': String(rateLimit.retryAfterSeconds) } : {}
}
