import type { Middleware } from '../app-env.ts'
import { matchedPath } from '../mount-path.ts'

/**
 * Runs `respond` inside a trace span.
 * @param route the path pattern of the route; undefined if none matched
 */
export type TraceRequest = (
  request: Request,
  route: string | undefined,
  respond: () => Promise<Response>,
) => Promise<Response>

export function traceRequests(traceRequest: TraceRequest): Middleware {
  return async (c, next) => {
    await traceRequest(c.req.raw, matchedPath(c), async () => {
      await next()
      return c.res
    })
  }
}
