import type { Crm, CrmError } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import type { Logger } from 'pino'
import { JSON_MEDIA_TYPE } from '../http/json-body.ts'
import { hasMediaType } from '../http/request-body.ts'
import type { HttpResponse } from '../http/response.ts'
import { createOriginCheck } from './origin-check.ts'
import { createRejections, RPC_CODES, rpcError } from './rpc-errors.ts'
import type { ToolsCall } from './types.ts'

export interface ToolsOptions {
  readonly crm: Crm
  readonly issuer: string
  /** Address the service listens on, if known. */
  readonly host: string | undefined
  readonly log: Pick<Logger, 'error'>
}

export interface ToolsEndpoint {
  readonly path: string
  reject(error: CrmError, request: Pick<HonoRequest, 'header'>): HttpResponse
  /** Rejects a call that a page of another site made a browser send; `undefined` for any other call. */
  checkOrigin(header: (name: string) => string | undefined): HttpResponse | undefined
  handler(call: ToolsCall): Promise<HttpResponse>
}

/** Creates the Streamable HTTP endpoint. It has no sessions: no state remains after a message. */
export function createToolsEndpoint({ crm, issuer, host, log }: ToolsOptions): ToolsEndpoint {
  const { reject, insufficientScope } = createRejections(issuer)
  const findForeignHeader = createOriginCheck(issuer, host)

  return {
    path: '/mcp',
    reject,
    checkOrigin(header) {
      const foreignHeader = findForeignHeader(header)
      return (
        foreignHeader &&
        rpcError(403, RPC_CODES.server, `Forbidden: the ${foreignHeader} header names another site.`)
      )
    },
    async handler(call) {
      const { request } = call
      if (request.method !== 'POST')
        return rpcError(405, RPC_CODES.server, 'Method not allowed: messages are sent by POST.', {
          Allow: 'POST',
        })
      if (!hasMediaType(request, JSON_MEDIA_TYPE))
        return rpcError(415, RPC_CODES.server, 'Unsupported media type: messages are application/json.')
      // The tools and the protocol library are large: loading them here keeps the start fast.
      const { handleMessages } = await import('./tool-call.ts')
      return handleMessages(call, { crm, log, insufficientScope })
    },
  }
}
