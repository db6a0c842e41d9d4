import type { Actor, Crm, CrmError } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import type { Logger } from 'pino'
import type { Reply } from '../answer.ts'
import { isOfType, JSON_TYPE } from '../body.ts'
import { RPC, refusalsAt, rpcError } from './refusals.ts'
import { strangersTo } from './strangers.ts'

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
  countMore(calls: number): Promise<void>
  /** Told which tool is called, for the log. */
  note(tool: string): void
}

export interface ToolsEndpoint {
  readonly path: string
  refused(error: CrmError, request: Pick<HonoRequest, 'header'>): Reply
  /** The answer to a call that a page of another site made a browser send; `undefined` for any other call. */
  stranger(header: (name: string) => string | undefined): Reply | undefined
  handler(call: ToolsCall): Promise<Reply>
}

/** Streamable HTTP without sessions: each message is answered by itself, and nothing is kept of it. */
export function toolsEndpoint({ crm, issuer, host, log }: ToolsOptions): ToolsEndpoint {
  const { refused, lacking } = refusalsAt(issuer)
  const strangerBy = strangersTo(issuer, host)

  return {
    path: '/mcp',
    refused,
    stranger(header) {
      const by = strangerBy(header)
      return by && rpcError(403, RPC.server, `Forbidden: the ${by} header names another site.`)
    },
    async handler(call) {
      const { request } = call
      if (request.method !== 'POST') return rpcError(405, RPC.server, 'Method not allowed: messages are sent by POST.', { Allow: 'POST' })
      if (!isOfType(request, JSON_TYPE)) return rpcError(415, RPC.server, 'Unsupported media type: messages are application/json.')
      // The tools and the protocol's library are large, and who never calls a tool need not wait for them at the start.
      const { answerTo } = await import('./answering.ts')
      return answerTo(call, { crm, log, lacking })
    },
  }
}
