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
import type { FairQueue } from './fair-queue.ts'
import { type AccessLogOptions, accessLog } from './middleware/access-log.ts'
import { createAuthorize } from './middleware/authorize.ts'
import { handleErrors } from './middleware/handle-errors.ts'
import { limitByAddress, limitEndpoint } from './middleware/limit-rate.ts'
import { requestSource } from './middleware/request-source.ts'
import { createRequireRoom } from './middleware/require-room.ts'
import { responseHeaders } from './middleware/response-headers.ts'
import { createTakeTurn, takeTurnByAddress } from './middleware/take-turn.ts'
import { type TraceRequest, traceRequests } from './middleware/trace-requests.ts'
import { handleUnknownRoute } from './near-route.ts'
import type { RateLimits } from './rate-limits.ts'
import { apiRoutes } from './routes/api-routes.ts'
import { fileRoute } from './routes/file-route.ts'
import { healthRoutes } from './routes/health-routes.ts'

export interface AppOptions extends AccessLogOptions {
  readonly crm: Crm
  readonly rateLimits: RateLimits
  readonly fairQueue: FairQueue
  readonly storage: Pick<Storage, 'check'>
  readonly ports: Pick<Ports, 'newId' | 'secrets' | 'random' | 'issuer' | 'now'>
  /** Number of trusted proxies in front of the service. */
  readonly trustProxy: number
  /** The address the service listens on; absent without a socket. */
  readonly host?: string | undefined
  /** Runs each request inside a trace span. */
  readonly traceRequest?: TraceRequest | undefined
}

/** Creates the HTTP interface. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const { crm, rateLimits, fairQueue, storage, ports, trustProxy, host, log, traceRequest } = options
  const { issuer, newId } = ports
  const takeTurn = createTakeTurn(fairQueue)
  const turnByAddress = takeTurnByAddress(fairQueue)
  const guards = {
    authorize: createAuthorize(crm, rateLimits),
    requireRoom: createRequireRoom(crm),
    takeTurn,
  }
  const limits = {
    byAddress: limitByAddress(rateLimits),
    byEndpoint: limitEndpoint('OAUTH', rateLimits),
    byRegistration: limitEndpoint('REGISTER', rateLimits),
  }

  const app = new Hono<AppEnv>()
  if (traceRequest) app.use(traceRequests(traceRequest))
  app.use(
    requestId({ headerName: '', generator: newId }),
    accessLog(options),
    responseHeaders(issuer, rateLimits),
    requestSource(trustProxy),
  )
  app.onError(handleErrors())
  app.route('/v1', apiRoutes(crm, guards))
  app.route('/', oauthRoutes(crm, issuer, limits))
  app.route('/', publicClientRoutes(crm, issuer, limits))
  app.route('/mcp', toolsRoute({ crm, issuer, host, log, rateLimits, takeTurn }))
  app.route('/', pageRoutes({ crm, ports }, limits.byAddress))
  app.route('/', documentRoute(crm, issuer, limits.byAddress, turnByAddress))
  app.route('/', docsRoutes(issuer, limits.byAddress, turnByAddress))
  app.route('/files', fileRoute(crm, limits.byAddress, turnByAddress))
  app.route('/', healthRoutes(storage, log))
  app.notFound(handleUnknownRoute(app, rateLimits))
  return app
}
