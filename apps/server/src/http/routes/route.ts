import { type Context, Hono } from 'hono'
import type { Operation } from '../../openapi/operation.ts'
import type { AppEnv, Middleware } from '../app-env.ts'
import type { Authorize, RouteAccess } from '../middleware/authorize.ts'
import type { EnforceQuota } from '../middleware/enforce-quota.ts'
import { handleErrors } from '../middleware/handle-errors.ts'
import type { TakeTurn, TurnKind } from '../middleware/take-turn.ts'
import type { ErrorFormat } from '../response.ts'

export type RouteContext = Context<AppEnv>

interface BaseRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** With parameters as Hono writes them: `/v1/people/:id`. */
  readonly path: string
  /** Left out for a route that the OpenAPI document does not show. */
  readonly operation?: Operation
  /** Default: the error object of the contract. */
  readonly formatError?: ErrorFormat
  handle(c: RouteContext): Response | Promise<Response>
}

/** A route of the API, which requires a token. Its calls count in the window of its app. */
export interface ApiRoute extends BaseRoute {
  readonly access: RouteAccess
  /** The lane of its calls in the fair queue. */
  readonly turn: TurnKind
  /** Default: 1 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** A write that a full workspace refuses. */
  readonly write?: 'create' | 'update'
}

/** A route that requires no token, or the credentials of a client. */
export interface OpenRoute extends BaseRoute {
  readonly access: 'client' | 'nobody'
  /** The window in which its calls count; null for none. */
  readonly limitedBy: EndpointWindow | null
  /**
   * The lane of its calls in the fair queue; `parts` for a handler that names its workspace. Default: none, for what takes
   * no time.
   */
  readonly turn?: 'address' | 'documents' | 'parts'
}

/** By address, alone or for each endpoint of the authorization server. */
export type EndpointWindow = 'address' | 'OAUTH' | 'REGISTER'

/** What Hono serves and the OpenAPI document describes. */
export type Route = ApiRoute | OpenRoute

export type DocumentedRoute = Route & { readonly operation: Operation }

export function isApiRoute(route: Route): route is ApiRoute {
  return typeof route.access === 'object'
}

/** The window in which the calls of a route count: by app for a route that requires a token. */
export function windowOf(route: Route): 'app' | EndpointWindow | null {
  return isApiRoute(route) ? 'app' : route.limitedBy
}

export function isDocumented(route: Route): route is DocumentedRoute {
  return route.operation !== undefined
}

/** The steps of a call before its handler. */
export interface RouteMiddleware {
  /** Authenticates a call, counts it, and requires a scope. */
  readonly authorize: Authorize
  /** Refuses writes to a full workspace. */
  readonly enforceQuota: EnforceQuota
  /** Receives the body, up to the size that the route allows, and waits in the fair queue. */
  readonly takeTurn: TakeTurn
  /** Counts calls without a token. */
  readonly limits: Readonly<Record<EndpointWindow, Middleware>>
  /** Wait in the fair queue, for calls without a token that send much. */
  readonly turns: Readonly<Record<NonNullable<OpenRoute['turn']>, Middleware>>
}

/** Adds routes to the app, each with its steps in front. */
export function addRoutes(app: Hono<AppEnv>, routes: readonly Route[], middleware: RouteMiddleware): void {
  for (const route of routes) {
    const steps = isApiRoute(route) ? apiSteps(route, middleware) : openSteps(route, middleware)
    const { formatError } = route
    // An app of its own, since Hono formats errors by app.
    const target = formatError ? new Hono<AppEnv>().onError(handleErrors(formatError)) : app
    target.on(route.method, [route.path], ...steps, (c) => route.handle(c))
    if (target !== app) app.route('/', target)
  }
}

function apiSteps(
  { access, write, turn, maxBodyBytes }: ApiRoute,
  middleware: RouteMiddleware,
): Middleware[] {
  const { authorize, enforceQuota, takeTurn } = middleware
  return [authorize(access), ...(write ? [enforceQuota(write)] : []), takeTurn(turn, maxBodyBytes)]
}

function openSteps({ limitedBy, turn }: OpenRoute, { limits, turns }: RouteMiddleware): Middleware[] {
  return [...(limitedBy ? [limits[limitedBy]] : []), ...(turn ? [turns[turn]] : [])]
}

export function pathParam(c: RouteContext, name = 'id'): string {
  return c.req.param(name) ?? ''
}
