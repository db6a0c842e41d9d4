import type { Actor, Crm, CrmError } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import type { Logger } from 'pino'
import { hasMediaType, JSON_MEDIA_TYPE } from '../http/request-body.ts'
import type { HttpResponse } from '../http/response.ts'
import { createOriginCheck } from './origin-check.ts'
import { createRejections, RPC_CODES, rpcError } from './rpc-errors.ts'

export interface ToolsOptions {
  readonly crm: Crm
  readonly issuer: string
  /** The address the service listens on, where it is known. */
  readonly host: string | undefined
  readonly log: Pick<Logger, 'error'>
}

/** A call that was let in. */
export interface ToolsCall {
  readonly request: Request
  readonly actor: Actor
  readonly requestId: string
  /** Counts so many calls more. @throws CrmError `rate_limit_exceeded` */
  countAdditionalCalls(calls: number): Promise<void>
  /** Told which tool is called, for the log. */
  noteTool(tool: string): void
}

export interface ToolsEndpoint {
  readonly path: string
  reject(error: CrmError, request: Pick<HonoRequest, 'header'>): HttpResponse
  /** The answer to a call that a page of another site made a browser send; `undefined` for any other call. */
  checkOrigin(header: (name: string) => string | undefined): HttpResponse | undefined
  handler(call: ToolsCall): Promise<HttpResponse>
}

/** Streamable HTTP without sessions: each message is answered by itself, and nothing is kept of it. */
export function createToolsEndpoint({ crm, issuer, host, log }: ToolsOptions): ToolsEndpoint {
  const { refused: reject, lacking: insufficientScope } = createRejections(issuer)
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
      // The tools and the protocol's library are large, and who never calls a tool need not wait for them at the start.
      const { handleMessages: answerTo } = await import('./tool-call.ts')
      return answerTo(call, { crm, log, lacking: insufficientScope })
    },
  }
}
