import { type Actor, authorize, type Counters, type Crm, CrmError, isOver, type Meter, meterOf, notFound, tooMany } from '@sales-crm/core'
import type { Ports, Storage } from '@sales-crm/core/ports'
import { type Context, Hono } from 'hono'
import type { Logger } from 'pino'
import { callerAddress } from './address.ts'
import { answer, ok, type Refused, type Reply, refusal } from './answer.ts'
import { BodyRefused, bodies, TooManyBodies } from './body.ts'
import { docsRoutes } from './docs/docs-routes.ts'
import { errorBody, failureOf, redacted, unexpected } from './errors.ts'
import { FILE_PATH, fileReply } from './file-route.ts'
import { toolsEndpoint } from './mcp/endpoint.ts'
import type { Meters } from './meters.ts'
import { programRoutes } from './oauth/program-routes.ts'
import { type OAuthRoute, oauthRoutes } from './oauth/routes.ts'
import { documentRoutes } from './openapi/document-route.ts'
import { type PageRoute, pageRoutes } from './pages/page-routes.ts'
import { languageOf } from './pages/texts/language.ts'
import { refuseParameters } from './query.ts'
import { apiRoutes, checkScopes, type Route } from './routes.ts'

export interface AppOptions {
  readonly crm: Crm
  readonly meters: Meters
  readonly storage: Pick<Storage, 'check'>
  readonly ports: Pick<Ports, 'newId' | 'secrets' | 'random' | 'issuer' | 'now'>
  /** How many proxies in front are believed for the caller's address. */
  readonly trustProxy: number
  /** The address the service listens on; left out where there is none. */
  readonly host?: string | undefined
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Answers each call within something of its own: a trace's span. */
  readonly within?: Within | undefined
  /** Told of each answer. Must not throw. */
  readonly answered?: ((answer: Answered) => void) | undefined
}

/** @param route the route's path as it is written; undefined where none matched */
export type Within = (request: Request, route: string | undefined, work: () => Promise<Response>) => Promise<Response>

export interface Answered {
  readonly method: string
  /** The route's path as it is written, parameters and all; undefined where none matched. */
  readonly route: string | undefined
  readonly status: number
  readonly seconds: number
}

/** What the socket server knows of a call. Hono hands it on as `c.env`, which is undefined where there is no such server. */
export interface Bindings {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } }
  /** The service is about to stop, and asks for no new traffic. */
  readonly draining?: boolean
}

type Env = { Bindings: Bindings }

interface Opening {
  readonly path: string
  readonly refused?: Refused
}

/** A call under way, and what the log says of it. */
interface Call {
  readonly requestId: string
  /** Whether it was counted where it belongs; `meter` is then undefined where there is no limit. */
  counted: boolean
  meter: Meter | undefined
  actor: Actor | undefined
  /** The tools that are called, by their names. */
  tool: string | undefined
  notice: string | undefined
}

const ALIVE = ok({ data: { status: 'ok' } })

/**
 * The HTTP interface. Each route is one handler with no chain of middleware around it: who calls, how often, and whether it may
 * are settled in a single step.
 */
export function createApp({ crm, meters, storage, ports, trustProxy, host, elapsed, log, within, answered }: AppOptions): Hono<Env> {
  const { newId } = ports
  const enter = crm.enterThrough(meters.gate)
  const routes = apiRoutes(crm)
  checkScopes(routes)
  const tools = toolsEndpoint({ crm, issuer: ports.issuer, host, log })

  const app = new Hono<Env>()
  for (const route of routes) {
    app.on(route.method, route.path, (c) => respond(c, route, async (call) => route.handler(await admit(c, call, route), c.req)))
  }
  for (const route of [...oauthRoutes(crm, ports.issuer), ...programRoutes(crm, ports.issuer)]) {
    app.on(route.method, route.path, (c) => respond(c, route, (call) => letIn(c, call, route)))
  }
  for (const route of [...pageRoutes({ crm, ports }), ...documentRoutes(crm, ports.issuer), ...docsRoutes(ports.issuer)]) {
    app.on(route.method, route.path, (c) => respond(c, route, (call) => show(c, call, route)))
  }
  app.all(tools.path, (c) => respond(c, tools, (call) => useTools(c, call)))
  app.get(FILE_PATH, (c) => respond(c, { path: FILE_PATH }, (call) => file(c, call)))
  app.get('/healthz', (c) => respond(c, { path: '/healthz' }, async () => ALIVE))
  app.get('/readyz', (c) => respond(c, { path: '/readyz' }, (call) => readiness(c, call)))
  app.notFound((c) =>
    respond(c, undefined, async (call) => {
      noteCount(call, await meters.ofAddress(c.req.method, addressOf(c)))
      throw notFound('Route')
    }),
  )
  return app

  function respond(c: Context<Env>, route: Opening | undefined, work: (call: Call) => Promise<Reply>): Promise<Response> {
    return within ? within(c.req.raw, route?.path, () => answerTo(c, route, work)) : answerTo(c, route, work)
  }

  async function answerTo(c: Context<Env>, route: Opening | undefined, work: (call: Call) => Promise<Reply>): Promise<Response> {
    const began = elapsed()
    const call: Call = { requestId: newId(), counted: false, meter: undefined, actor: undefined, tool: undefined, notice: undefined }
    const response = await work(call)
      .then((reply) => {
        call.notice = reply.notice
        return answer(reply, call.requestId, windowOf(c, call))
      })
      .catch((thrown) => refuse(c, route, thrown, call))
      .finally(() => bodies.giveBack(c.req.raw))
    const ms = elapsed() - began
    answered?.({ method: c.req.method, route: route?.path, status: response.status, seconds: ms / 1000 })
    log[call.notice === undefined ? 'info' : 'warn']({
      request_id: call.requestId,
      caller_request_id: redacted(c.req.header('X-Request-ID')?.slice(0, 128)),
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

  async function admit(c: Context<Env>, call: Call, { method, scope, orScope }: Route): Promise<Actor> {
    const counters = meters.countersFor(c.req.method, () => addressOf(c))
    const actor = await entered(c, call, counters)
    crm.usage.count(actor, method)
    if (scope !== null) authorize(actor, scope, orScope)
    return actor
  }

  async function entered(c: Context<Env>, call: Call, counters: Counters, door?: Parameters<typeof enter>[2]): Promise<Actor> {
    const { actor, refusal, meter } = await enter(c.req.header('Authorization'), counters, door)
    noteCount(call, meter)
    call.actor = actor
    if (!actor) throw refusal
    return actor
  }

  async function useTools(c: Context<Env>, call: Call): Promise<Reply> {
    const stranger = tools.stranger((name) => c.req.header(name))
    if (stranger) return stranger
    const counters = meters.countersForTools(() => addressOf(c))
    const actor = await entered(c, call, counters, 'mcp')
    crm.usage.count(actor, 'POST')
    return tools.handler({
      request: c.req.raw,
      actor,
      requestId: call.requestId,
      note(tool) {
        call.tool = tool
      },
      async countMore(calls) {
        const counter = counters.ofApp(actor.clientId, actor.workspaceId)
        for (let more = 0; counter && more < calls; more += 1) holdTo(call, meterOf(counter, await meters.gate.count(counter)))
        for (let more = 0; more < calls; more += 1) crm.usage.count(actor, 'POST')
      },
    })
  }

  async function file(c: Context<Env>, call: Call): Promise<Reply> {
    holdTo(call, await meters.ofAddress(c.req.method, addressOf(c)))
    refuseParameters(c.req.url)
    return fileReply(crm.files, c.req.param('workspace') ?? '', c.req.param('key') ?? '')
  }

  async function show(c: Context<Env>, call: Call, { handler }: PageRoute): Promise<Reply> {
    const address = addressOf(c)
    holdTo(call, await meters.ofAddress('GET', address))
    return handler({ req: c.req, address })
  }

  async function letIn(c: Context<Env>, call: Call, { path, limit, handler }: OAuthRoute): Promise<Reply> {
    const address = addressOf(c)
    const meter = await (limit ? meters.ofEndpoint(limit, path, address) : meters.ofAddress(c.req.method, address))
    holdTo(call, meter)
    return handler(c.req, { address, language: languageOf(c.req.header('Accept-Language')), limited: meter !== undefined })
  }

  function refuse(c: Context<Env>, route: Opening | undefined, thrown: unknown, call: Call): Response {
    const error = thrown instanceof CrmError ? thrown : unexpected()
    const failure = error === thrown ? error.cause : thrown
    if (failure !== undefined) log.error({ request_id: call.requestId, err: failureOf(failure) }, 'A request failed unexpectedly.')
    call.notice = error.notice
    const reply = route?.refused?.(error, c.req, call.requestId) ?? refusal(error, call.requestId)
    const response = answer(reply, call.requestId, windowOf(c, call))
    if (error instanceof BodyRefused) response.headers.set('Connection', 'close')
    if (error instanceof TooManyBodies) response.headers.set('Retry-After', String(error.wait))
    return response
  }

  async function readiness(c: Context<Env>, { requestId }: Call): Promise<Reply> {
    try {
      if (!c.env?.draining) {
        await storage.check()
        return ALIVE
      }
    } catch (error) {
      log.error({ request_id: requestId, err: failureOf(error) }, 'The database is not ready.')
    }
    return { status: 503, body: errorBody(unexpected(), requestId) }
  }

  /** The window the call was counted in; one of its own for a call that never came that far. */
  function windowOf(c: Context<Env>, { counted, meter }: Call): Meter | undefined {
    return counted ? meter : meters.apart(c.req.method, addressOf(c))
  }

  function addressOf(c: Context<Env>): string {
    return callerAddress(c.env?.incoming?.socket.remoteAddress, c.req.header('X-Forwarded-For'), trustProxy)
  }
}

function noteCount(call: Call, meter: Meter | undefined): void {
  call.counted = true
  call.meter = meter
}

/** @throws CrmError `rate_limit_exceeded` */
function holdTo(call: Call, meter: Meter | undefined): void {
  noteCount(call, meter)
  if (isOver(meter)) throw tooMany(meter)
}
