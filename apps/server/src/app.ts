import { type Actor, authorize, type Crm, CrmError, isOver, type Meter, notFound, tooMany } from '@sales-crm/core'
import type { NewId, Storage } from '@sales-crm/core/ports'
import { type Context, Hono } from 'hono'
import type { Logger } from 'pino'
import { callerAddress } from './address.ts'
import { answer, ok, type Reply, refusal } from './answer.ts'
import { BodyTooLarge } from './body.ts'
import { errorBody, failureOf, unexpected } from './errors.ts'
import { FILE_PATH, fileReply } from './file-route.ts'
import type { Meters } from './meters.ts'
import { refuseParameters } from './query.ts'
import { apiRoutes, checkScopes, type Route } from './routes.ts'

export interface AppOptions {
  readonly crm: Crm
  readonly meters: Meters
  readonly storage: Pick<Storage, 'check'>
  /** How many proxies in front are believed for the caller's address. */
  readonly trustProxy: number
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number
  readonly newId: NewId
  readonly log: Pick<Logger, 'info' | 'error'>
}

/** What the socket server knows of a call. Hono hands it on as `c.env`, which is undefined where there is no such server. */
export interface Bindings {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } }
  /** The service is about to stop, and asks for no new traffic. */
  readonly draining?: boolean
}

type Env = { Bindings: Bindings }

type Opening = Pick<Route, 'path'> & Partial<Pick<Route, 'scope'>>

/** A call under way, and what the log says of it. */
interface Call {
  readonly requestId: string
  meter: Meter | undefined
  actor: Actor | undefined
}

const ALIVE = ok({ data: { status: 'ok' } })

/**
 * The HTTP interface. Each route is one handler with no chain of middleware around it: who calls, how often, and whether it may
 * are settled in a single step.
 */
export function createApp({ crm, meters, storage, trustProxy, elapsed, newId, log }: AppOptions): Hono<Env> {
  const enter = crm.enterThrough(meters.gate)
  const routes = apiRoutes(crm)
  checkScopes(routes)

  const app = new Hono<Env>()
  for (const route of routes) {
    app.on(route.method, route.path, (c) => respond(c, route, async (call) => route.handler(await admit(c, call, route), c.req)))
  }
  app.get(FILE_PATH, (c) => respond(c, { path: FILE_PATH }, (call) => file(c, call)))
  app.get('/healthz', (c) => respond(c, { path: '/healthz' }, async () => ALIVE))
  app.get('/readyz', (c) => respond(c, { path: '/readyz' }, (call) => readiness(c, call)))
  app.notFound((c) =>
    respond(c, undefined, async (call) => {
      call.meter = await meters.ofAddress(c.req.method, addressOf(c))
      throw notFound('Route')
    }),
  )
  return app

  async function respond(c: Context<Env>, route: Opening | undefined, work: (call: Call) => Promise<Reply>): Promise<Response> {
    const began = elapsed()
    const call: Call = { requestId: newId(), meter: undefined, actor: undefined }
    const response = await work(call)
      .then((reply) => answer(reply, call.requestId, meterOf(c, call)))
      .catch((thrown) => refuse(c, thrown, call))
    log.info({
      request_id: call.requestId,
      caller_request_id: c.req.header('X-Request-ID')?.slice(0, 128),
      method: c.req.method,
      route: route?.path,
      status: response.status,
      ms: Math.round((elapsed() - began) * 10) / 10,
      client_id: call.actor?.clientId,
      workspace_id: call.actor?.workspaceId,
    })
    return response
  }

  async function admit(c: Context<Env>, call: Call, { scope }: Route): Promise<Actor> {
    const counters = meters.countersFor(c.req.method, () => addressOf(c))
    const { actor, refusal, meter } = await enter(c.req.header('Authorization'), counters)
    call.meter = meter
    call.actor = actor
    if (!actor) throw refusal
    if (scope !== null) authorize(actor, scope)
    return actor
  }

  async function file(c: Context<Env>, call: Call): Promise<Reply> {
    call.meter = await meters.ofAddress(c.req.method, addressOf(c))
    if (call.meter && isOver(call.meter)) throw tooMany(call.meter)
    refuseParameters(c.req.url)
    return fileReply(crm.files, c.req.param('workspace') ?? '', c.req.param('key') ?? '')
  }

  function refuse(c: Context<Env>, thrown: unknown, call: Call): Response {
    const error = thrown instanceof CrmError ? thrown : unexpected()
    const failure = error === thrown ? error.cause : thrown
    if (failure !== undefined) log.error({ request_id: call.requestId, err: failureOf(failure) }, 'A request failed unexpectedly.')
    const { status, headers, body } = refusal(error, call.requestId, meterOf(c, call))
    if (error instanceof BodyTooLarge) headers['Connection'] = 'close'
    return new Response(body, { status, headers })
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
  function meterOf(c: Context<Env>, { meter, actor }: Call): Meter | undefined {
    return actor ? meter : (meter ?? meters.apart(c.req.method, addressOf(c)))
  }

  function addressOf(c: Context<Env>): string {
    return callerAddress(c.env?.incoming?.socket.remoteAddress, c.req.header('X-Forwarded-For'), trustProxy)
  }
}
