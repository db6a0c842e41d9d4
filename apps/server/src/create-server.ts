import { canOpenSigningKeys, localAccessGate, SCOPES } from '@sales-crm/core'
import type { AccessGate, Ports } from '@sales-crm/core/ports'
import type { OutboundOptions } from '@sales-crm/node'
import type { Hono } from 'hono'
import type { BackgroundOptions } from './background/background-options.ts'
import { type BackgroundWork, startBackground } from './background/start-background.ts'
import { APP_PARTS, createApp } from './http/app.ts'
import type { AppEnv } from './http/app-env.ts'
import { basePathOf } from './http/base-path.ts'
import { FairQueue } from './http/fair-queue.ts'
import { createNodeListener, type NodeListener } from './http/node-listener.ts'
import { DEFAULT_RATE_LIMITS, RateLimits } from './http/rate-limits.ts'
import { consoleLog } from './observability/console-log.ts'
import type { ServiceLog } from './observability/service-log.ts'
import { parseServerOptions, type ServerOptions } from './server-options.ts'

/** Long calls of one workspace that run at once. */
const LANE_CONCURRENCY = 4

/** The service as a Hono app: mount it with `route`, or hand it requests. */
export interface Server extends Hono<AppEnv> {
  /**
   * Handles a request.
   * @param env what Hono calls bindings: `incoming` of Node's HTTP server has the address of the client
   */
  fetch: (request: Request, env?: unknown) => Response | Promise<Response>
  /** Handles a request of Node's HTTP server: for Express, Fastify and `node:http`. */
  readonly listener: NodeListener
  /** Paths at the root of the host's origin at which OAuth clients look for metadata. The host hands them on. */
  readonly rootPaths: readonly string[]
  /** Starts deliveries, mail, deletions and the saving of usage. Any number of processes may run it. */
  startBackground(options?: BackgroundOptions): BackgroundWork
}

/**
 * Creates the HTTP interface of a CRM for another application.
 * @throws TypeError that names a wrong option
 */
export function createServer(options: ServerOptions): Server {
  const { crm, ports, parts, limits, trustProxy = 0, log = consoleLog } = parseServerOptions(options)
  if (crm.operator.scopes !== SCOPES)
    log.warn(
      'Two copies of @sales-crm/core are loaded: one by the application and one by @sales-crm/server. `npm ls @sales-crm/core` shows them; install one version.',
    )
  const { storage, now, issuer } = ports
  const rateLimits = new RateLimits({
    gate: gateOf(ports),
    countPersistentRateLimit: crm.countPersistentRateLimit,
    limits: { ...DEFAULT_RATE_LIMITS, ...limits },
    now,
  })
  const app = createApp({
    crm,
    rateLimits,
    fairQueue: new FairQueue({ concurrency: LANE_CONCURRENCY }),
    storage,
    ports,
    parts: new Set(APP_PARTS.filter((part) => parts?.[part] !== false)),
    mountPath: options.mountPath,
    authenticate: options.authenticate,
    setup: options.setup,
    trustProxy,
    log,
    monotonicNow: () => performance.now(),
  })
  void reportWrongKey(ports, log)
  let hasBackground = false
  return Object.assign(app, {
    listener: createNodeListener(app),
    rootPaths: rootPathsOf(app, basePathOf(issuer)),
    startBackground(background: BackgroundOptions = {}) {
      const work = startBackground(crm, { outbound: outboundOf(ports), ...background }, { now, log })
      if (hasBackground)
        log.warn('startBackground was called before: its work now runs twice in this process.')
      hasBackground = true
      return work
    },
  }) as Server
}

/** Another key than before would be noticed late: by a call with a token, or a delivery that is not signed. */
async function reportWrongKey({ storage, secrets }: Ports, log: ServiceLog): Promise<void> {
  const isRight = await canOpenSigningKeys(storage, secrets).catch(() => true)
  if (!isRight)
    log.error(
      'The secretKey of nodePorts is not the one of this database: no token is valid, and no webhook can be signed. Pass the key that was in use, which loadSecretKey reads; without one, nodePorts makes a random key at each start.',
    )
}

/** `nodePorts` hands on its option. */
function outboundOf(ports: Ports): OutboundOptions | undefined {
  return (ports as { readonly outbound?: OutboundOptions }).outbound
}

/** The well-known paths that contain the path of the issuer (RFC 8414 and 9728, section 3.1). */
function rootPathsOf({ routes }: Hono<AppEnv>, basePath: string): readonly string[] {
  if (basePath === '') return []
  const paths = routes.map(({ path }) => path)
  return [...new Set(paths.filter((path) => path.startsWith('/.well-known/') && path.includes(basePath)))]
}

/** The gate of a store that shares it between processes, or one of this process. */
function gateOf({ storage, now }: Ports): AccessGate {
  return (storage as { readonly gate?: AccessGate }).gate ?? localAccessGate(storage, now)
}
