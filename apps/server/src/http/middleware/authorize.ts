import {
  type Actor,
  type CallLimits,
  type CountedMethod,
  type Crm,
  CrmError,
  requireScope,
  SCOPES,
} from '@sales-crm/core'
import { LONG_CALL_MS } from '@sales-crm/core/ports'
import type { Context, MiddlewareHandler, Next } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { HostError } from '../errors.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import { invalidJsonError } from '../request-body.ts'
import { RequestSignal } from '../request-signal.ts'
import { enforceRateLimit } from './limit-rate.ts'

export interface RouteAccess {
  /** The required scope; null if any valid token is sufficient. */
  readonly scope: string | null
  /** A scope accepted in place of `scope`; errors do not name it. */
  readonly alternativeScope?: string
  /** Scopes required besides `scope`, which the use-case checks. */
  readonly otherScopes?: readonly string[]
}

/**
 * Recognises a call that the application which embeds the service authenticates. Undefined leaves the call to its
 * bearer token.
 */
export type AuthenticateRequest = (
  request: Request,
  c: Context,
) => Actor | undefined | Promise<Actor | undefined>

/** Sets the actor and the window in which the call was counted. */
export type AuthenticateCall = (
  c: Context<AppEnv>,
  limits: CallLimits,
  audience?: 'mcp' | undefined,
) => Promise<void>

/** Middleware that lets in calls with a token of this scope. */
export type Authorize = (access: RouteAccess) => MiddlewareHandler<AppEnv>

/**
 * Authentication and rate limit are one step, because both are one statement of the database. A call without a
 * valid token is counted by its address.
 */
export function createAuthorize(authenticateCall: AuthenticateCall, rateLimits: RateLimits): Authorize {
  /** @throws Error for a scope that does not exist */
  return ({ scope, alternativeScope }) => {
    for (const each of [scope, alternativeScope])
      if (typeof each === 'string' && !SCOPES.includes(each)) throw new Error(`There is no scope ${each}.`)
    return async (c, next) => {
      const limits = rateLimits.limitsFor(c.req.method, c.get('address'))
      await authenticateCall(c, limits)
      if (scope !== null) requireScope(c.get('actor'), scope, alternativeScope)
      await runCall(c, next, limits, rateLimits)
    }
  }
}

/** Runs a call. One that may have written is announced to the gate again if it took long, before it is answered. */
export async function runCall(
  c: Context<AppEnv>,
  next: Next,
  { isRead = false }: CallLimits,
  { gate }: Pick<RateLimits, 'gate'>,
): Promise<void> {
  const startedAt = performance.now()
  await next()
  if (!isRead && performance.now() - startedAt > LONG_CALL_MS) await gate.noteWrite?.(c.get('actor'))
}

/** The function throws CrmError `unauthorized`, `token_expired`, `rate_limit_exceeded`. */
export function createAuthenticateCall(
  { createAuthenticator, usage }: Pick<Crm, 'createAuthenticator' | 'usage'>,
  { gate }: Pick<RateLimits, 'gate'>,
  authenticateRequest?: AuthenticateRequest,
): AuthenticateCall {
  const authenticate = createAuthenticator(gate)
  return async (c, limits, audience) => {
    const actor = authenticateRequest && (await findHostActor(authenticateRequest, c))
    if (actor) return admitHostActor(c, actor, limits, gate)
    const authentication = await authenticate(c.req.header('Authorization'), limits, audience)
    c.set('rateLimit', authentication.rateLimit ?? null)
    if (!authentication.actor) throw authentication.error
    c.set('actor', withSignal(authentication.actor, c))
    usage.count(authentication.actor, audience === 'mcp' ? 'POST' : countedMethodOf(c.req.method))
  }
}

/** Adds the request's signal, which is created at its first use: few reads need it. */
function withSignal(actor: Actor, c: Context<AppEnv>): Actor {
  return {
    ...actor,
    get signal() {
      return new RequestSignal(c.req.raw.signal)
    },
  }
}

/** A member who was removed meanwhile is nobody: the call is left to its bearer token. */
async function findHostActor(
  authenticateRequest: AuthenticateRequest,
  c: Context<AppEnv>,
): Promise<Actor | undefined> {
  try {
    return await authenticateRequest(c.req.raw, c)
  } catch (error) {
    if (error instanceof CrmError && error.code === 'not_found') return undefined
    // Hono hands only errors to `onError`.
    throw error instanceof Error ? error : new Error('authenticate threw a value that is not an Error.')
  }
}

/** A member whom the host authenticates has windows like those of an app. The call is not one of an app's usage. */
async function admitHostActor(
  c: Context<AppEnv>,
  actor: Actor,
  limits: CallLimits,
  gate: RateLimits['gate'],
): Promise<void> {
  if (!(actor.scopes instanceof Set))
    throw new HostError('authenticate must return what crm.operator.actorFor returns, or undefined.')
  requirePreflight(c)
  const subject = `${actor.clientId}:${actor.workspaceId}:${actor.userId}`
  const rateLimit = limits.forApp(subject, actor.workspaceId)
  enforceRateLimit(c, rateLimit && (await gate.count(rateLimit)))
  c.set('actor', withSignal(actor, c))
}

/**
 * Browsers send a cookie with a form of another site too. A form cannot have this media type, and a script needs the
 * consent of this origin by CORS.
 * @throws CrmError `bad_request`
 */
export function requirePreflight({ req }: Context<AppEnv>): void {
  if (req.method === 'POST' && !/^application\/json\b/i.test(req.header('Content-Type') ?? ''))
    throw invalidJsonError({ 'Content-Type': 'Must be application/json, in UTF-8.' })
}

/** A HEAD is served as a GET. No other method has routes. */
function countedMethodOf(method: string): CountedMethod {
  return method === 'HEAD' ? 'GET' : (method as CountedMethod)
}
