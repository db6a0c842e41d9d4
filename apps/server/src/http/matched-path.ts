import type { Context } from 'hono'
import { routePath } from 'hono/route'

const MIDDLEWARE_PATH = '/*'

/** The path pattern of the route that handles the request; undefined if none does. */
export function matchedPath(c: Context): string | undefined {
  const path = routePath(c, -1)
  return path === MIDDLEWARE_PATH ? undefined : path
}
