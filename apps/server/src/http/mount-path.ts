import type { Context, Hono } from 'hono'
import { baseRoutePath, matchedRoutes } from 'hono/route'
import { getPath } from 'hono/utils/url'
import type { AppEnv, Bindings, Incoming, Middleware } from './app-env.ts'
import { HostError } from './errors.ts'

const WILDCARD = '/*'

type ReadPath = (request: Request, options?: { readonly env?: Bindings }) => string

/**
 * Returns a function that reads the path of a request for the router, without the path at which the service is
 * mounted. A host or a proxy may have removed that already: Express says that it has.
 */
export function createPathReader(mountPath: string): ReadPath {
  if (mountPath === '') return getPath
  return (request, options) => {
    const path = getPath(request)
    return isRemoved(options?.env?.incoming) ? path : removePrefix(path, mountPath)
  }
}

/**
 * A path could be read in two ways if the mount path were that of a route.
 * @throws Error
 */
export function assertNoRouteAt({ routes }: Pick<Hono<AppEnv>, 'routes'>, mountPath: string): void {
  if (mountPath !== '' && routes.some(({ path }) => path === mountPath || path.startsWith(`${mountPath}/`)))
    throw new Error(
      `The service cannot be mounted at ${mountPath}, which is one of its own paths. Change the path of its public URL.`,
    )
}

/** The path of the request within the service, also if another Hono app routes to it. */
export function pathWithinService(c: Context): string {
  return removePrefix(c.req.path, routedMountPath(c))
}

/** The path pattern of the route that handles the request; undefined if none does. */
export function matchedPath(c: Context): string | undefined {
  return matchedRoutes(c).findLast(({ path }) => !path.endsWith(WILDCARD))?.path
}

/** Refuses calls if the host mounted the service at a path that its links do not have. */
export function requireMountPath(mountPath: string): Middleware {
  return (c, next) => {
    assertMountPath(hostMountPath(c), mountPath)
    return next()
  }
}

/** @throws HostError */
function assertMountPath(actual: string, expected: string): void {
  // Routers of hosts may ignore the case.
  if (actual === '' || actual.toLowerCase() === expected.toLowerCase()) return
  const told = expected === '' ? 'no path' : `the path ${expected}`
  throw new HostError(
    `The CRM is mounted at ${actual}, but its public URL has ${told}. Let the issuer of nodePorts end with ${actual}, or set the option mountPath of createServer if a proxy changes the path.`,
  )
}

/** The path at which Hono's `route` or Express's `use` mounted the service; empty if neither did. */
function hostMountPath(c: Context): string {
  const incoming: Incoming | undefined = c.env?.incoming
  return isRemoved(incoming) ? incoming.baseUrl : routedMountPath(c)
}

/** True if the host has removed the path of the mount from the URL. */
function isRemoved(incoming: Incoming | undefined): incoming is Incoming & { readonly baseUrl: string } {
  return typeof incoming?.baseUrl === 'string' && incoming.baseUrl !== ''
}

function routedMountPath(c: Context): string {
  const path = baseRoutePath(c)
  return path === '/' ? '' : path
}

function removePrefix(path: string, prefix: string): string {
  if (prefix === '' || !path.startsWith(prefix)) return path
  const rest = path.slice(prefix.length)
  return rest === '' ? '/' : rest.startsWith('/') ? rest : path
}
