import { type Actor, CrmError } from '@sales-crm/core'
import { RetryLaterError } from '@sales-crm/core/ports'
import { redact, serializeError } from '../../observability/redaction.ts'
import type { ResponseInfo } from '../../observability/response-info.ts'
import type { ServiceLog } from '../../observability/service-log.ts'
import { hasClientGone, type Middleware } from '../app-env.ts'
import { matchedPath } from '../mount-path.ts'

export interface AccessLogOptions {
  readonly log: ServiceLog
  /** A monotonic clock in milliseconds. */
  readonly monotonicNow: () => number
  /** Called after each response. Must not throw. */
  readonly onResponse?: ((info: ResponseInfo) => void) | undefined
}

/**
 * Writes one line per request: what was called by whom, and its outcome. Another line has what failed
 * unexpectedly, which the response does not tell.
 */
export function accessLog({ log, monotonicNow, onResponse }: AccessLogOptions): Middleware {
  return async (c, next) => {
    const startedAt = monotonicNow()
    await next()
    const ms = monotonicNow() - startedAt
    const [method, route, status] = [c.req.method, matchedPath(c), c.res.status]
    onResponse?.({ method, route, status, seconds: ms / 1000 })

    const { error } = c
    const [requestId, actor] = [c.get('requestId'), c.get('actor') as Actor | undefined]
    const failure = error instanceof CrmError ? error.cause : error
    if (failure !== undefined)
      log.error({ request_id: requestId, err: serializeError(failure) }, 'A request failed unexpectedly.')
    // A call is refused in place of being answered to nobody, which is no sign of load.
    const isUnreceived = error instanceof RetryLaterError && hasClientGone(c)
    const notice = isUnreceived
      ? undefined
      : error instanceof CrmError
        ? error.logMessage
        : c.get('logMessage')
    log[notice === undefined ? 'info' : 'warn']({
      request_id: requestId,
      caller_request_id: redact(c.req.header('X-Request-ID')?.slice(0, 128)),
      method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      client_id: actor?.clientId,
      workspace_id: actor?.workspaceId,
      tool: c.get('tool'),
      notice,
    })
  }
}
