import { canOpenSigningKeys, SCOPES } from '@sales-crm/core'
import type { Ports } from '@sales-crm/core/ports'
import type { Hono } from 'hono'
import type { BackgroundOptions } from './background/background-options.ts'
import { type BackgroundWork, startBackground } from './background/start-background.ts'
import { composeService } from './compose-service.ts'
import { APP_PARTS } from './http/app.ts'
import type { AppEnv } from './http/app-env.ts'
import { basePathOf } from './http/base-path.ts'
import { createNodeListener, type NodeListener } from './http/node-listener.ts'
import { consoleLog } from './observability/console-log.ts'
import type { ServiceLog } from './observability/service-log.ts'
import { parseServerOptions, type ServerOptions } from './server-options.ts'

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
  const { now, issuer, outbound } = ports
  const { mountPath, authenticate, setup } = options
  const { app, unreadResponses } = composeService({
    ...{ crm, ports, limits, trustProxy, log, mountPath, authenticate, setup },
    parts: new Set(APP_PARTS.filter((part) => parts?.[part] !== false)),
  })
  void reportWrongKey(ports, log)
  let hasBackground = false
  return Object.assign(app, {
    listener: createNodeListener(app, unreadResponses),
    rootPaths: rootPathsOf(app, basePathOf(issuer)),
    startBackground(background: BackgroundOptions = {}) {
      const work = startBackground(crm, { outbound, ...background }, { now, log })
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

/** The well-known paths that contain the path of the issuer (RFC 8414 and 9728, section 3.1). */
function rootPathsOf({ routes }: Hono<AppEnv>, basePath: string): readonly string[] {
  if (basePath === '') return []
  const paths = routes.map(({ path }) => path)
  return [...new Set(paths.filter((path) => path.startsWith('/.well-known/') && path.includes(basePath)))]
}
