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
import type { FairQueue } from './fair-queue.ts'
import { type AccessLogOptions, accessLog } from './middleware/access-log.ts'
import { type AuthenticateRequest, createAuthenticateCall, createAuthorize } from './middleware/authorize.ts'
import { createEnforceQuota } from './middleware/enforce-quota.ts'
import { handleErrors } from './middleware/handle-errors.ts'
import { limitByAddress, limitBySession, limitEndpoint } from './middleware/limit-rate.ts'
import { requestSource } from './middleware/request-source.ts'
import { responseHeaders } from './middleware/response-headers.ts'
import {
  countCalls,
  createTakeTurn,
  takeTurnByAddress,
  takeTurnForDocuments,
} from './middleware/take-turn.ts'
import { type TraceRequest, traceRequests } from './middleware/trace-requests.ts'
import { assertNoRouteAt, createPathReader, requireMountPath } from './mount-path.ts'
import { handleUnknownRoute } from './near-route.ts'
import type { RateLimits } from './rate-limits.ts'
import { apiRoutes } from './routes/api-routes.ts'
import { fileRoute } from './routes/file-route.ts'
import { healthRoutes } from './routes/health-routes.ts'

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
  const { crm, rateLimits, storage, ports, log, traceRequest, demoUser } = options
  const { issuer, newId } = ports
  const issuerPath = basePathOf(issuer)
  const { parts = new Set(APP_PARTS), mountPath = issuerPath } = options
  const { guards, authenticateCall, limits, turnByAddress, turnOfDocuments } = createRouteMiddleware(options)
  const { byAddress } = limits

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
  // The sub-apps at `/` have no middleware of their own, which would apply to all that follow.
  if (parts.has('api')) {
    app.route('/v1', apiRoutes(crm, guards))
    app.route('/files', fileRoute(crm, byAddress, turnByAddress))
  }
  if (parts.has('oauth')) app.route('/', oauthRoutes(crm, issuer, limits))
  // Apps that register themselves get tokens for the tools only.
  if (parts.has('oauth') && parts.has('mcp')) app.route('/', publicClientRoutes(crm, issuer, limits))
  if (parts.has('mcp')) {
    const { listenHost } = options
    const { takeTurn } = guards
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
        byAddress,
        limits.bySession,
        turnByAddress,
      ),
    )
  if (parts.has('docs')) {
    const serves = (path: string) => app.routes.some((route) => route.path === path)
    app.route('/', documentRoute(crm, issuer, serves, byAddress, turnOfDocuments))
    app.route('/', docsRoutes(issuer, parts.has('oauth'), byAddress, turnOfDocuments))
  }
  app.route('/', healthRoutes(storage, log))
  assertNoRouteAt(app, mountPath)
  // Not `notFound`, which does not apply where another app mounts this one.
  app.all('*', handleUnknownRoute(app, rateLimits, issuerPath))
  return app
}

/** What routes state before their handlers. */
function createRouteMiddleware({ crm, rateLimits, fairQueue, authenticate }: AppOptions) {
  const authenticateCall = createAuthenticateCall(crm, rateLimits, authenticate)
  return {
    /** Authenticates a call, and counts it in the rate limit of its app, in one statement. */
    authenticateCall,
    // A call with a token passes these, in this order.
    guards: {
      /** `authenticateCall`, then the scope of the route. */
      authorize: createAuthorize(authenticateCall, rateLimits),
      /** Refuses writes to a full workspace. */
      enforceQuota: createEnforceQuota(crm),
      /** Receives the body, up to the size that the route allows, and waits in the fair queue. */
      takeTurn: createTakeTurn(fairQueue),
    },
    /** Rate limits of calls without a token. */
    limits: {
      byAddress: limitByAddress(rateLimits),
      bySession: limitBySession(rateLimits),
      byEndpoint: limitEndpoint('OAUTH', rateLimits),
      byRegistration: limitEndpoint('REGISTER', rateLimits),
    },
    /** Waits in the fair queue of an address, for calls without a token that send much. */
    turnByAddress: takeTurnByAddress(fairQueue),
    /** Waits in the lane that all calls of documents share. */
    turnOfDocuments: takeTurnForDocuments(fairQueue),
  }
}
