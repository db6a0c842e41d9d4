import { CrmError, didYouMean, isOverLimit, notFound } from '@sales-crm/core'
import type { Handler, Hono } from 'hono'
import type { AppEnv } from './app-env.ts'
import type { RateLimits } from './limits/rate-limits.ts'
import { pathWithinService } from './mount-path.ts'
import { errorResponse } from './response.ts'

interface RoutePattern {
  readonly method: string
  /** Segments that start with a colon are parameters. */
  readonly path: string
}

/** What a caller may have meant with a request that no route serves. */
export interface NearRoute {
  /** The methods of the path, for an `Allow` header; empty for an unknown path. */
  readonly allowedMethods: readonly string[]
  /** A path that the method has: without slashes at its end, without a prefix, or with the nearest names. */
  readonly path: string | undefined
  /** What stands before the path of a route, as in `/crm/v1/tasks`. */
  readonly prefix?: string
}

const MOUNT_PATH = /^(\/[\w.~-]+)+$/

/** Longer paths are not compared with those of routes, which have ids of 36 characters. */
const MAX_PATH_LENGTH = 200

/** Paths of the API; those of pages and assets are no hint for a program. */
const API_PATH = /^\/(?:v1|oauth\/(?!consent)|mcp|\.well-known)/

/**
 * Responds with the contract's 404, and with what the caller may have meant. A caller over its limit gets no hint,
 * which takes longer than the rest, and has to connect again.
 */
export function handleUnknownRoute(
  { routes }: Pick<Hono<AppEnv>, 'routes'>,
  rateLimits: Pick<RateLimits, 'countAddress'>,
  basePath: string,
): Handler<AppEnv> {
  const apiRoutes = routes.filter(({ method, path }) => method !== 'ALL' && API_PATH.test(path))
  return async (c) => {
    const { method } = c.req
    const path = pathWithinService(c)
    const rateLimit = await rateLimits.countAddress(method, c.get('address')())
    c.set('rateLimit', rateLimit ?? null)
    if (isOverLimit(rateLimit)) {
      const refusal = errorResponse(notFound('Route'), c.get('requestId'))
      refusal.headers.set('Connection', 'close')
      return refusal
    }
    const near = findNearRoute(apiRoutes, method, path)
    if (near.prefix !== undefined && MOUNT_PATH.test(near.prefix))
      c.set('logMessage', mountMessage(near.prefix, basePath))
    const allow = near.allowedMethods.join(', ')
    const hint = {
      ...(allow !== '' && { method: `Must be one of: ${allow}.` }),
      ...(near.path !== undefined && { path: `Did you mean ${basePath}${near.path}?` }),
    }
    const fields = Object.keys(hint).length > 0 ? hint : undefined
    const response = errorResponse(
      new CrmError('not_found', notFound('Route').message, fields),
      c.get('requestId'),
    )
    if (allow !== '') response.headers.set('Allow', allow)
    return response
  }
}

function mountMessage(prefix: string, basePath: string): string {
  return prefix === basePath
    ? `A path was not found, since the service is not mounted at ${prefix}, the path of its public URL.`
    : `A path was not found. If the service is mounted at ${prefix}, its public URL must end with that.`
}

export function findNearRoute(routes: readonly RoutePattern[], method: string, path: string): NearRoute {
  if (path.length > MAX_PATH_LENGTH) return { allowedMethods: [], path: undefined }
  const allowedMethods = methodsOf(routes, path)
  if (allowedMethods.length > 0) return { allowedMethods, path: undefined }
  const trimmed = trimSlashes(path)
  const candidates = routes.filter((route) => route.method === (method === 'HEAD' ? 'GET' : method))
  const isRoute = (each: string) => candidates.some((route) => matches(route.path, each))
  if (isRoute(trimmed)) return { allowedMethods, path: trimmed }
  const prefix = findPrefix(trimmed, isRoute)
  if (prefix !== undefined) return { allowedMethods, path: trimmed.slice(prefix.length), prefix }
  return { allowedMethods, path: findSimilarPath(candidates, trimmed) }
}

function findPrefix(path: string, isRoute: (rest: string) => boolean): string | undefined {
  for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1))
    if (isRoute(path.slice(end))) return path.slice(0, end)
  return undefined
}

function methodsOf(routes: readonly RoutePattern[], path: string): readonly string[] {
  const methods = routes
    .filter((route) => matches(route.path, path))
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...new Set(methods)]
}

function matches(pattern: string, path: string): boolean {
  const [expected, segments] = [pattern.split('/'), path.split('/')]
  return (
    expected.length === segments.length &&
    expected.every((name, index) => (isParameter(name) ? segments[index] !== '' : name === segments[index]))
  )
}

function trimSlashes(path: string): string {
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** Compares the names of paths, and takes the parameters over. Patterns without parameters come first. */
function findSimilarPath(routes: readonly RoutePattern[], path: string): string | undefined {
  const segments = path.split('/')
  const patterns = routes.map((route) => route.path.split('/'))
  const byParameters = Map.groupBy(patterns, (pattern) => parameterPositions(pattern).join())
  for (const group of [...byParameters.values()].toSorted((a, b) => parameterCount(a) - parameterCount(b))) {
    const positions = parameterPositions(group[0]!)
    const comparable = positions.every((index) => segments[index])
      ? group.filter(({ length }) => positions.length === 0 || length === segments.length)
      : []
    const namesOf = (parts: readonly string[]) =>
      parts.filter((_, index) => !positions.includes(index)).join('/')
    const names = didYouMean(namesOf(segments), comparable.map(namesOf))
    const pattern = comparable.find((each) => namesOf(each) === names)
    if (pattern) return pattern.map((part, index) => (isParameter(part) ? segments[index] : part)).join('/')
  }
  return undefined
}

function parameterPositions(pattern: readonly string[]): readonly number[] {
  return pattern.flatMap((part, index) => (isParameter(part) ? [index] : []))
}

function parameterCount([pattern = []]: readonly (readonly string[])[]): number {
  return parameterPositions(pattern).length
}

function isParameter(part: string): boolean {
  return part.startsWith(':')
}
