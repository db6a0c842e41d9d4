import type { Context, Hono } from 'hono'
import { baseRoutePath, matchedRoutes } from 'hono/route'
import { getPath } from 'hono/utils/url'
import type { AppEnv, Middleware } from './app-env.ts'
import { HostError } from './errors.ts'

const WILDCARD = '/*'

/**
 * Returns a function that reads the path of a request for the router, without the path at which the service is
 * mounted. A host or a proxy may have removed that already.
 */
export function createPathReader(mountPath: string): (request: Request) => string {
  return (request) => removePrefix(getPath(request), mountPath)
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
  let isChecked = false
  return (c, next) => {
    if (!isChecked) assertMountPath(hostMountPath(c), mountPath)
    isChecked = true
    return next()
  }
}

/** @throws HostError */
function assertMountPath(actual: string, expected: string): void {
  if (actual === '' || actual === expected) return
  const told = expected === '' ? 'no path' : `the path ${expected}`
  throw new HostError(
    `The CRM is mounted at ${actual}, but its public URL has ${told}. Let the issuer of nodePorts end with ${actual}, or set the option mountPath of createServer if a proxy changes the path.`,
  )
}

/** The path at which Hono's `route` or Express's `use` mounted the service; empty if neither did. */
function hostMountPath(c: Context): string {
  const incoming = c.env?.incoming as { readonly baseUrl?: unknown } | undefined
  const routed = routedMountPath(c)
  return routed === '' && typeof incoming?.baseUrl === 'string' ? incoming.baseUrl : routed
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
