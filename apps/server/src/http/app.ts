import type { Socket } from 'node:net'
import {
  type Actor,
  type CallLimits,
  type Crm,
  CrmError,
  isOverLimit,
  notFound,
  type RateLimitStatus,
  rateLimitExceeded,
  requireScope,
} from '@sales-crm/core'
import type { Ports, Storage } from '@sales-crm/core/ports'
import { type Context, Hono } from 'hono'
import type { Logger } from 'pino'
import { docsRoutes } from '../docs/docs-routes.ts'
import { createToolsEndpoint } from '../mcp/endpoint.ts'
import type { OAuthRoute } from '../oauth/oauth-route.ts'
import { oauthRoutes } from '../oauth/oauth-routes.ts'
import { publicClientRoutes } from '../oauth/public-client-routes.ts'
import { redact, serializeError } from '../observability/redaction.ts'
import type { ResponseInfo } from '../observability/response-info.ts'
import { documentRoutes } from '../openapi/document-route.ts'
import { type PageRoute, pageRoutes } from '../pages/page-routes.ts'
import { negotiateLanguage } from '../pages/translations/accept-language.ts'
import { clientAddress } from './client-address.ts'
import { errorBody, RetryLaterError, unexpectedError } from './errors.ts'
import type { FairQueue } from './fair-queue.ts'
import { findNearRoute, type NearRoute } from './near-route.ts'
import { rejectQueryParameters } from './query-string.ts'
import type { RateLimits } from './rate-limits.ts'
import {
  BodyMemoryExhaustedError,
  bodyBudget,
  receiveBody,
  setBodySource,
  UnreadBodyError,
} from './request-body.ts'
import {
  errorResponse,
  type HttpResponse,
  okResponse,
  type Rejection,
  serializeBody,
  toResponse,
} from './response.ts'
import { apiRoutes, checkScopes } from './routes/api-routes.ts'
import { FILE_PATH, fileResponse } from './routes/file-route.ts'
import type { Route } from './routes/route.ts'

export interface AppOptions {
  readonly crm: Crm
  readonly rateLimits: RateLimits
  readonly fairQueue: FairQueue
  readonly storage: Pick<Storage, 'check'>
  readonly ports: Pick<Ports, 'newId' | 'secrets' | 'random' | 'issuer' | 'now'>
  /** Number of trusted proxies in front of the service. */
  readonly trustProxy: number
  /** The address the service listens on; absent without a socket. */
  readonly host?: string | undefined
  /** A monotonic clock in milliseconds. */
  readonly monotonicNow: () => number
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Runs each request inside a wrapper, such as a trace span. */
  readonly wrapRequest?: RequestWrapper | undefined
  /** Called after each response. Must not throw. */
  readonly onResponse?: ((info: ResponseInfo) => void) | undefined
}

/** @param route the path pattern of the route; undefined if none matched */
export type RequestWrapper = (
  request: Request,
  route: string | undefined,
  work: () => Promise<Response>,
) => Promise<Response>

/**
 * The socket server's data about a request. Hono passes it as `c.env`, which is undefined without a socket
 * server.
 */
export interface Bindings {
  readonly incoming?: { readonly socket: Partial<Pick<Socket, 'remoteAddress' | 'destroyed'>> }
  /** True while the service stops: `/ready` answers 503. */
  readonly isDraining?: boolean
  /** Sends `100 Continue` to a client that waits for it. */
  readonly continueRequest?: () => void
  /** Sets the workspace to which the response's unread bytes are charged. */
  readonly setOwner?: (workspaceId: string) => void
}

type Env = { Bindings: Bindings }

interface RouteInfo {
  readonly path: string
  readonly reject?: Rejection
}

/** The state of a request, for its response headers and its log line. */
interface Call {
  readonly requestId: string
  /** True once the call was counted; `rateLimit` is then undefined if no limit applies. */
  isCounted: boolean
  rateLimit: RateLimitStatus | undefined
  actor: Actor | undefined
  /** Names of the called MCP tools. */
  tool: string | undefined
  notice: string | undefined
}

/** Browsers use https for a year. It says nothing about the other names of the domain. */
const HSTS = { 'Strict-Transport-Security': 'max-age=31536000' }

const HEALTHY = okResponse({ data: { status: 'ok' } })

/**
 * Creates the HTTP interface. Each route is one handler without middleware: authentication, rate limit and
 * scope check are one step, `authorizeRequest`.
 */
export function createApp({
  crm,
  rateLimits,
  fairQueue,
  storage,
  ports,
  trustProxy,
  host,
  monotonicNow,
  log,
  wrapRequest,
  onResponse,
}: AppOptions): Hono<Env> {
  const { newId } = ports
  const defaultHeaders = ports.issuer.startsWith('https:') ? HSTS : {}
  const authenticate = crm.createAuthenticator(rateLimits.gate)
  const routes = apiRoutes(crm)
  checkScopes(routes)
  const tools = createToolsEndpoint({ crm, issuer: ports.issuer, host, log })

  const app = new Hono<Env>()
  for (const route of routes) {
    app.on(route.method, route.path, (c) =>
      respond(c, route, async (call) => {
        const actor = await authorizeRequest(c, call, route)
        await requireRoom(c, actor, route)
        return runInTurn(c, actor, route, () => route.handler(actor, c.req))
      }),
    )
  }
  const openRoutes = [...oauthRoutes(crm, ports.issuer), ...publicClientRoutes(crm, ports.issuer)]
  for (const route of openRoutes) {
    app.on(route.method, route.path, (c) => respond(c, route, (call) => handleOAuth(c, call, route)))
  }
  for (const route of [
    ...pageRoutes({ crm, ports }),
    ...documentRoutes(crm, ports.issuer),
    ...docsRoutes(ports.issuer),
  ]) {
    app.on(route.method, route.path, (c) => respond(c, route, (call) => servePage(c, call, route)))
  }
  app.all(tools.path, (c) => respond(c, tools, (call) => handleTools(c, call)))
  app.get(FILE_PATH, (c) => respond(c, { path: FILE_PATH }, (call) => serveFile(c, call)))
  app.get('/healthz', (c) => respond(c, { path: '/healthz' }, async () => HEALTHY))
  app.get('/readyz', (c) => respond(c, { path: '/readyz' }, (call) => checkReadiness(c, call)))
  app.notFound((c) =>
    respond(c, undefined, async (call) => {
      setRateLimit(call, await rateLimits.countAddress(c.req.method, clientAddressOf(c)))
      return routeNotFound(findNearRoute([...routes, ...openRoutes], c.req.method, c.req.path), call)
    }),
  )
  return app

  function respond(
    c: Context<Env>,
    route: RouteInfo | undefined,
    work: (call: Call) => Promise<HttpResponse>,
  ): Promise<Response> {
    return wrapRequest
      ? wrapRequest(c.req.raw, route?.path, () => respondAndLog(c, route, work))
      : respondAndLog(c, route, work)
  }

  async function respondAndLog(
    c: Context<Env>,
    route: RouteInfo | undefined,
    work: (call: Call) => Promise<HttpResponse>,
  ): Promise<Response> {
    const startedAt = monotonicNow()
    const call: Call = {
      requestId: newId(),
      isCounted: false,
      rateLimit: undefined,
      actor: undefined,
      tool: undefined,
      notice: undefined,
    }
    if (c.req.method !== 'GET')
      setBodySource(c.req.raw, {
        sender: () => ({ address: clientAddressOf(c), actor: call.actor }),
        onRead: () => c.env?.continueRequest?.(),
      })
    const response = await work(call)
      .then((reply) => {
        call.notice = reply.notice
        return toResponse(reply, call.requestId, rateLimitOf(c, call), defaultHeaders)
      })
      .catch((thrown) => handleError(c, route, thrown, call))
      .finally(() => bodyBudget.release(c.req.raw))
    const ms = monotonicNow() - startedAt
    onResponse?.({ method: c.req.method, route: route?.path, status: response.status, seconds: ms / 1000 })
    log[call.notice === undefined ? 'info' : 'warn']({
      request_id: call.requestId,
      caller_request_id: redact(c.req.header('X-Request-ID')?.slice(0, 128)),
      method: c.req.method,
      route: route?.path,
      status: response.status,
      ms: Math.round(ms * 10) / 10,
      client_id: call.actor?.clientId,
      workspace_id: call.actor?.workspaceId,
      tool: call.tool,
      notice: call.notice,
    })
    return response
  }

  async function authorizeRequest(
    c: Context<Env>,
    call: Call,
    { method, scope, alternativeScope: orScope }: Route,
  ): Promise<Actor> {
    const limits = rateLimits.limitsFor(c.req.method, () => clientAddressOf(c))
    const actor = await authenticateRequest(c, call, limits)
    crm.usage.count(actor, method)
    if (scope !== null) requireScope(actor, scope, orScope)
    return actor
  }

  async function authenticateRequest(
    c: Context<Env>,
    call: Call,
    limits: CallLimits,
    audience?: Parameters<typeof authenticate>[2],
  ): Promise<Actor> {
    const {
      actor,
      error: refusal,
      rateLimit,
    } = await authenticate(c.req.header('Authorization'), limits, audience)
    setRateLimit(call, rateLimit)
    call.actor = actor
    if (!actor) throw refusal
    return actor
  }

  async function handleTools(c: Context<Env>, call: Call): Promise<HttpResponse> {
    const forbidden = tools.checkOrigin((name) => c.req.header(name))
    if (forbidden) return forbidden
    const limits = rateLimits.limitsForTools(() => clientAddressOf(c))
    const actor = await authenticateRequest(c, call, limits, 'mcp')
    crm.usage.count(actor, 'POST')
    const toolsCall = {
      request: c.req.raw,
      actor,
      requestId: call.requestId,
      noteTool(tool: string) {
        call.tool = tool
      },
      async countAdditionalCalls(calls: number) {
        const rateLimit = limits.forApp(actor.clientId, actor.workspaceId)
        for (let index = 0; rateLimit && index < calls; index += 1)
          enforceRateLimit(call, await rateLimits.gate.count(rateLimit))
        for (let index = 0; index < calls; index += 1) crm.usage.count(actor, 'POST')
      },
    }
    return runInTurn(c, actor, { isQueued: true }, () => tools.handler(toolsCall))
  }

  /** @throws CrmError `forbidden` for a write to a full workspace */
  async function requireRoom(c: Context<Env>, actor: Actor, { write }: Route): Promise<void> {
    if (!write) return
    // Without a length, the bytes count once they are stored.
    const bytes = Number(c.req.header('Content-Length') ?? 0)
    await crm.workspace.requireRoom(actor, { kind: write, bytes })
  }

  /** Runs a call whose cost depends on its data in the turn of its workspace, and any other beside few others. */
  async function runInTurn(
    c: Context<Env>,
    actor: Actor,
    { isQueued = false, maxBodyBytes }: Pick<Route, 'isQueued' | 'maxBodyBytes'>,
    work: () => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    fairQueue.noteCall(actor.workspaceId)
    c.env?.setOwner?.(actor.workspaceId)
    const isLarge = await receiveBody(c.req.raw, isQueued, maxBodyBytes)
    const isAbandoned = () => c.env?.incoming?.socket.destroyed === true
    if (!isQueued && !isLarge) return fairQueue.run(actor.workspaceId, 'short', work, isAbandoned)
    // Serialising a long list is part of its cost.
    return fairQueue.run(actor.workspaceId, 'long', async () => serializeBody(await work()), isAbandoned)
  }

  async function serveFile(c: Context<Env>, call: Call): Promise<HttpResponse> {
    enforceRateLimit(call, await rateLimits.countAddress(c.req.method, clientAddressOf(c)))
    rejectQueryParameters(c.req.url)
    return fileResponse(crm.files, c.req.param('workspace') ?? '', c.req.param('key') ?? '')
  }

  async function servePage(c: Context<Env>, call: Call, { handler }: PageRoute): Promise<HttpResponse> {
    const address = clientAddressOf(c)
    enforceRateLimit(call, await rateLimits.countAddress('GET', address))
    return handler({ req: c.req, address })
  }

  async function handleOAuth(
    c: Context<Env>,
    call: Call,
    { path, limit, handler }: OAuthRoute,
  ): Promise<HttpResponse> {
    const address = clientAddressOf(c)
    const rateLimit = await (limit
      ? rateLimits.countEndpoint(limit, path, address)
      : rateLimits.countAddress(c.req.method, address))
    enforceRateLimit(call, rateLimit)
    return handler(c.req, {
      address,
      language: negotiateLanguage(c.req.header('Accept-Language')),
      isRateLimited: rateLimit !== undefined,
    })
  }

  function handleError(c: Context<Env>, route: RouteInfo | undefined, thrown: unknown, call: Call): Response {
    const error = thrown instanceof CrmError ? thrown : unexpectedError()
    const failure = error === thrown ? error.cause : thrown
    if (failure !== undefined)
      log.error(
        { request_id: call.requestId, err: serializeError(failure) },
        'A request failed unexpectedly.',
      )
    call.notice = error.notice
    const httpResponse = route?.reject?.(error, c.req, call.requestId) ?? errorResponse(error, call.requestId)
    const response = toResponse(httpResponse, call.requestId, rateLimitOf(c, call), defaultHeaders)
    if (error instanceof UnreadBodyError || error instanceof BodyMemoryExhaustedError)
      response.headers.set('Connection', 'close')
    if (error instanceof RetryLaterError) response.headers.set('Retry-After', String(error.retryAfterSeconds))
    return response
  }

  async function checkReadiness(c: Context<Env>, { requestId }: Call): Promise<HttpResponse> {
    try {
      if (!c.env?.isDraining) {
        await storage.check()
        return HEALTHY
      }
    } catch (error) {
      log.error({ request_id: requestId, err: serializeError(error) }, 'The database is not ready.')
    }
    return { status: 503, body: errorBody(unexpectedError(), requestId) }
  }

  /** The window the call was counted in; a local one for a call that failed before it was counted. */
  function rateLimitOf(c: Context<Env>, { isCounted, rateLimit }: Call): RateLimitStatus | undefined {
    return isCounted ? rateLimit : rateLimits.countLocally(c.req.method, clientAddressOf(c))
  }

  function clientAddressOf(c: Context<Env>): string {
    return clientAddress(c.env?.incoming?.socket.remoteAddress, c.req.header('X-Forwarded-For'), trustProxy)
  }
}

/** The contract's 404, with what the caller may have meant. */
function routeNotFound({ allowedMethods, path }: NearRoute, { requestId }: Call): HttpResponse {
  const allow = allowedMethods.join(', ')
  const hint = {
    ...(allow !== '' && { method: `Must be one of: ${allow}.` }),
    ...(path !== undefined && { path: `Did you mean ${path}?` }),
  }
  const hasHint = Object.keys(hint).length > 0
  const error = new CrmError('not_found', notFound('Route').message, hasHint ? hint : undefined)
  const response = errorResponse(error, requestId)
  return { ...response, headers: { ...response.headers, ...(allow !== '' && { Allow: allow }) } }
}

function setRateLimit(call: Call, rateLimit: RateLimitStatus | undefined): void {
  call.isCounted = true
  call.rateLimit = rateLimit
}

/** @throws CrmError `rate_limit_exceeded` */
function enforceRateLimit(call: Call, rateLimit: RateLimitStatus | undefined): void {
  setRateLimit(call, rateLimit)
  if (isOverLimit(rateLimit)) throw rateLimitExceeded(rateLimit)
}
