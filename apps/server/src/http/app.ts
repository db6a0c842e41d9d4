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
import type { AppEnv } from './app-env.ts'
import { basePathOf } from './base-path.ts'
import type { FairQueue } from './fair-queue.ts'
import { type AccessLogOptions, accessLog } from './middleware/access-log.ts'
import { type AuthenticateRequest, createAuthenticateCall, createAuthorize } from './middleware/authorize.ts'
import { handleErrors } from './middleware/handle-errors.ts'
import { limitByAddress, limitEndpoint } from './middleware/limit-rate.ts'
import { requestSource } from './middleware/request-source.ts'
import { createRequireRoom } from './middleware/require-room.ts'
import { responseHeaders } from './middleware/response-headers.ts'
import { createTakeTurn, takeTurnByAddress } from './middleware/take-turn.ts'
import { type TraceRequest, traceRequests } from './middleware/trace-requests.ts'
import { assertNoRouteAt, createPathReader, requireMountPath } from './mount-path.ts'
import { handleUnknownRoute } from './near-route.ts'
import type { RateLimits } from './rate-limits.ts'
import { apiRoutes } from './routes/api-routes.ts'
import { fileRoute } from './routes/file-route.ts'
import { healthRoutes } from './routes/health-routes.ts'

/** What the HTTP interface consists of, beside the health checks. */
export const APP_PARTS = ['api', 'oauth', 'pages', 'mcp', 'docs'] as const
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
  /** The address the service listens on; absent without a socket. */
  readonly host?: string | undefined
  /** Runs each request inside a trace span. */
  readonly traceRequest?: TraceRequest | undefined
}

/** Creates the HTTP interface. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const { crm, rateLimits, fairQueue, storage, ports, trustProxy, host, log, traceRequest } = options
  const { issuer, newId } = ports
  const basePath = basePathOf(issuer)
  const { parts = new Set(APP_PARTS), mountPath = basePath } = options
  const takeTurn = createTakeTurn(fairQueue)
  const turnByAddress = takeTurnByAddress(fairQueue)
  const authenticateCall = createAuthenticateCall(crm, rateLimits, options.authenticate)
  const guards = {
    authorize: createAuthorize(authenticateCall, rateLimits),
    requireRoom: createRequireRoom(crm),
    takeTurn,
  }
  const limits = {
    byAddress: limitByAddress(rateLimits),
    byEndpoint: limitEndpoint('OAUTH', rateLimits),
    byRegistration: limitEndpoint('REGISTER', rateLimits),
  }

  const app = new Hono<AppEnv>({ getPath: createPathReader(mountPath) })
  if (traceRequest) app.use(traceRequests(traceRequest))
  app.use(
    requestId({ headerName: '', generator: newId }),
    accessLog(options),
    responseHeaders(issuer, rateLimits),
    requestSource(trustProxy),
    requireMountPath(mountPath),
  )
  app.onError(handleErrors())
  if (parts.has('api'))
    app.route('/v1', apiRoutes(crm, guards)).route('/files', fileRoute(crm, limits.byAddress, turnByAddress))
  if (parts.has('oauth')) app.route('/', oauthRoutes(crm, issuer, limits))
  if (parts.has('oauth') && parts.has('mcp')) app.route('/', publicClientRoutes(crm, issuer, limits))
  if (parts.has('mcp'))
    app.route('/mcp', toolsRoute({ crm, issuer, host, log, rateLimits, authenticateCall, takeTurn }))
  if (parts.has('pages')) app.route('/', pageRoutes({ crm, ports }, limits.byAddress))
  if (parts.has('docs'))
    app
      .route('/', documentRoute(crm, issuer, limits.byAddress, turnByAddress))
      .route('/', docsRoutes(issuer, limits.byAddress, turnByAddress))
  app.route('/', healthRoutes(storage, log))
  assertNoRouteAt(app, mountPath)
  // Not `notFound`, which would not apply where another app mounts this one.
  app.all('*', handleUnknownRoute(app, rateLimits, basePath))
  return app
}
