import type { Crm } from '@sales-crm/core'
import type { Ports, Storage } from '@sales-crm/core/ports'
import { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import { docsRoutes } from '../docs/docs-routes.ts'
import { toolsRoute } from '../mcp/tools-route.ts'
import { oauthRoutes } from '../oauth/oauth-routes.ts'
import { publicClientRoutes } from '../oauth/public-client-routes.ts'
import { documentRoute } from '../openapi/document-route.ts'
import { pageRoutes } from '../pages/page-routes.ts'
import type { DemoUser } from '../pages/sign-in-page.ts'
import type { AppEnv } from './app-env.ts'
import { basePathOf } from './base-path.ts'
import type { FairQueue } from './limits/fair-queue.ts'
import type { RateLimits } from './limits/rate-limits.ts'
import { type AccessLogOptions, accessLog } from './middleware/access-log.ts'
import {
  type AuthenticateCall,
  type AuthenticateRequest,
  createAuthenticateCall,
  createAuthorize,
} from './middleware/authorize.ts'
import { createEnforceQuota } from './middleware/enforce-quota.ts'
import { handleErrors } from './middleware/handle-errors.ts'
import { limitByAddress, limitBySession, limitEndpoint } from './middleware/limit-rate.ts'
import { requestSource } from './middleware/request-source.ts'
import { responseHeaders } from './middleware/response-headers.ts'
import {
  countCalls,
  createTakeTurn,
  offerTurns,
  takeTurnByAddress,
  takeTurnForDocuments,
} from './middleware/take-turn.ts'
import { type TraceRequest, traceRequests } from './middleware/trace-requests.ts'
import { assertNoRouteAt, createPathReader, requireMountPath } from './mount-path.ts'
import { handleUnknownRoute } from './near-route.ts'
import { apiRoutes } from './routes/api-routes.ts'
import { archiveRoute } from './routes/archive-route.ts'
import { calendarRoute } from './routes/calendar-routes.ts'
import { fileRoute } from './routes/file-route.ts'
import { healthRoutes } from './routes/health-routes.ts'
import { publicOfferRoute } from './routes/public-offer-route.ts'
import { addRoutes, type Route, type RouteMiddleware } from './routes/route.ts'

/** What the HTTP interface consists of, beside the health checks. */
export const APP_PARTS = ['api', 'oauth', 'pages', 'console', 'mcp', 'docs'] as const
/** A part that can be left out. */
export type AppPart = (typeof APP_PARTS)[number]

export interface AppOptions extends AccessLogOptions {
  readonly crm: Crm
  readonly rateLimits: RateLimits
  readonly fairQueue: FairQueue
  readonly storage: Pick<Storage, 'check'>
  readonly ports: Pick<Ports, 'newId' | 'secrets' | 'random' | 'issuer' | 'now'>
  /** Number of trusted proxies in front of the service. */
  readonly trustProxy: number
  /** Default: all. */
  readonly parts?: ReadonlySet<AppPart> | undefined
  /** The path below which requests arrive. Default: the path of the issuer. */
  readonly mountPath?: string | undefined
  readonly authenticate?: AuthenticateRequest | undefined
  /** Offered on the sign-in page, to be signed in by one press. Only for the demo. */
  readonly demoUser?: DemoUser | undefined
  /** True to offer the making of the first workspace on a page. Default: false. */
  readonly setup?: boolean | undefined
  /** The address the service listens on, for the origin check of `/mcp`; absent without a socket. */
  readonly listenHost?: string | undefined
  /** Runs each request inside a trace span. */
  readonly traceRequest?: TraceRequest | undefined
}

/** Creates the HTTP interface. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const { crm, rateLimits, ports, log, traceRequest, demoUser } = options
  const { issuer, newId } = ports
  const issuerPath = basePathOf(issuer)
  const { parts = new Set(APP_PARTS), mountPath = issuerPath } = options
  const authenticateCall = createAuthenticateCall(crm, rateLimits, options.authenticate)
  const middleware = createRouteMiddleware(options, authenticateCall)
  const { limits, turns, takeTurn } = middleware

  const app = new Hono<AppEnv>({ getPath: createPathReader(mountPath) })
  app.onError(handleErrors())
  if (traceRequest) app.use(traceRequests(traceRequest))
  // Outermost first: the log and the headers cover refusals and errors, too.
  app.use(
    // The id of a client is not taken over. `responseHeaders` sends this one.
    requestId({ headerName: '', generator: newId }),
    accessLog(options),
    countCalls(options.fairQueue),
    responseHeaders(issuer, rateLimits),
    requestSource(options.trustProxy),
    // `getPath` does not apply where another app mounts this one, so the path of the mount is compared here.
    requireMountPath(mountPath),
  )
  const routes: readonly Route[] = listRoutes(options, parts, () => routes)
  addRoutes(app, routes, middleware)
  if (parts.has('mcp')) {
    const { listenHost } = options
    const tools = toolsRoute({ crm, issuer, listenHost, log, rateLimits, authenticateCall, takeTurn })
    for (const path of ['/mcp', '/mcp/']) app.route(path, tools)
  }
  // The console signs in by the pages, and reads the API.
  const hasConsole = parts.has('console') && parts.has('api')
  if (parts.has('pages'))
    app.route(
      '/',
      pageRoutes(
        { crm, ports, hasConsole, demoUser, offersSetup: options.setup ?? false },
        limits.address,
        limitBySession(rateLimits),
        turns.address,
      ),
    )
  if (parts.has('docs'))
    app.route('/', docsRoutes(issuer, parts.has('oauth'), limits.address, turns.documents))
  assertNoRouteAt(app, mountPath)
  // Not `notFound`, which does not apply where another app mounts this one.
  app.all('*', handleUnknownRoute(app, rateLimits, issuerPath))
  return app
}

/**
 * The routes of the API, of its documents and of the health checks.
 * @param listAll returns all of them, for the document that describes them
 */
export function listRoutes(
  {
    crm,
    ports: { issuer },
    storage,
    log,
  }: Pick<AppOptions, 'crm' | 'storage' | 'log'> & {
    readonly ports: Pick<Ports, 'issuer'>
  },
  parts: ReadonlySet<AppPart>,
  listAll: () => readonly Route[],
): readonly Route[] {
  const hasOAuth = parts.has('oauth')
  return [
    ...(parts.has('api')
      ? [
          ...apiRoutes(crm),
          fileRoute(crm),
          archiveRoute(crm),
          publicOfferRoute(crm, basePathOf(issuer)),
          calendarRoute(crm),
        ]
      : []),
    ...(hasOAuth ? oauthRoutes(crm, issuer) : []),
    // Apps that register themselves get tokens for the tools only.
    ...(hasOAuth && parts.has('mcp') ? publicClientRoutes(crm, issuer) : []),
    ...(parts.has('docs') ? [documentRoute(issuer, parts.has('mcp'), listAll)] : []),
    ...healthRoutes(storage, log),
  ]
}

function createRouteMiddleware(
  { crm, rateLimits, fairQueue }: AppOptions,
  authenticateCall: AuthenticateCall,
): RouteMiddleware {
  return {
    authorize: createAuthorize(authenticateCall, rateLimits),
    enforceQuota: createEnforceQuota(crm),
    takeTurn: createTakeTurn(fairQueue),
    limits: {
      address: limitByAddress(rateLimits),
      OAUTH: limitEndpoint('OAUTH', rateLimits),
      REGISTER: limitEndpoint('REGISTER', rateLimits),
    },
    turns: {
      address: takeTurnByAddress(fairQueue),
      parts: offerTurns(fairQueue),
      documents: takeTurnForDocuments(fairQueue),
    },
  }
}
