import type { Crm } from '@sales-crm/core'
import { Hono, type MiddlewareHandler } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import { JSON_MEDIA_TYPE } from '../http/json-body.ts'
import type { RateLimits } from '../http/limits/rate-limits.ts'
import { type AuthenticateCall, runCall } from '../http/middleware/authorize.ts'
import { handleErrors } from '../http/middleware/handle-errors.ts'
import { enforceRateLimit } from '../http/middleware/limit-rate.ts'
import type { TakeTurn } from '../http/middleware/take-turn.ts'
import type { ServiceLog } from '../observability/service-log.ts'
import { createOriginCheck } from './origin-check.ts'
import { createRejections, RPC_CODES, rpcError } from './rpc-errors.ts'

export interface ToolsOptions {
  readonly crm: Crm
  readonly issuer: string
  /** Address the service listens on, if known. */
  readonly listenHost: string | undefined
  readonly log: Pick<ServiceLog, 'error'>
  readonly rateLimits: RateLimits
  readonly authenticateCall: AuthenticateCall
  readonly takeTurn: TakeTurn
}

/** What a client of the protocol must accept. The responses are JSON. */
const REQUIRED_ACCEPT = 'application/json, text/event-stream'

/** A client that accepts anything accepts that. The body was read before. */
function withAccept(request: Request): Request {
  const accept = request.headers.get('Accept') ?? '*/*'
  if (!accept.includes('*/*')) return request
  const headers = new Headers(request.headers)
  headers.set('Accept', REQUIRED_ACCEPT)
  return new Request(request.url, { method: request.method, headers })
}

/** The Streamable HTTP endpoint `/mcp`. It has no sessions: no state remains after a message. */
export function toolsRoute({
  crm,
  issuer,
  listenHost,
  log,
  rateLimits,
  authenticateCall,
  takeTurn,
}: ToolsOptions): Hono<AppEnv> {
  const { formatError, insufficientScope } = createRejections(issuer)
  const findForeignHeader = createOriginCheck(issuer, listenHost)

  /** Rejects a call that a page of another site made a browser send. */
  const checkOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
    const foreignHeader = findForeignHeader((name) => c.req.header(name))
    if (foreignHeader)
      return rpcError(403, RPC_CODES.server, `Forbidden: the ${foreignHeader} header names another site.`)
    return next()
  }

  const authenticate: MiddlewareHandler<AppEnv> = async (c, next) => {
    const limits = rateLimits.limitsForTools(c.get('address'))
    await authenticateCall(c, limits, 'mcp')
    await runCall(c, next, limits, rateLimits)
  }

  return new Hono<AppEnv>()
    .onError(handleErrors(formatError))
    .all('/', checkOrigin)
    .all('/', authenticate, takeTurn('long'), async (c) => {
      const { method, raw: request } = c.req
      const body = c.get('body')
      if (method !== 'POST')
        return rpcError(405, RPC_CODES.server, 'Method not allowed: messages are sent by POST.', {
          Allow: 'POST',
        })
      if (!body.hasMediaType(JSON_MEDIA_TYPE))
        return rpcError(415, RPC_CODES.server, 'Unsupported media type: messages are application/json.')
      const [actor, requestId] = [c.get('actor'), c.get('requestId')]
      // The tools and the protocol library are large: loading them here keeps the start fast.
      const { handleMessages } = await import('./tool-call.ts')
      return handleMessages(
        {
          request: withAccept(request),
          body,
          actor,
          requestId,
          noteTool: (tool) => c.set('tool', tool),
          async countAdditionalCalls(calls) {
            const rateLimit = rateLimits
              .limitsForTools(c.get('address'))
              .forApp(actor.clientId, actor.workspaceId)
            for (let index = 0; rateLimit && index < calls; index += 1)
              enforceRateLimit(c, await rateLimits.gate.count(rateLimit))
            for (let index = 0; index < calls; index += 1) crm.usage.count(actor, 'POST')
          },
        },
        { crm, log, insufficientScope },
      )
    })
}
