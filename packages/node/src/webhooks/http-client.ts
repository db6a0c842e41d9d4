import type { NetworkOptions } from '../outbound-http/restricted-connector.ts'
import { ConnectionPool } from './receiver-connections.ts'
import { sendRequest } from './request.ts'
import type { AttemptResult } from './sender-types.ts'

const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'sales-crm',
  'accept-encoding': 'identity',
}

/** Posts over pooled connections. `timeoutMs` is the only timeout: those of undici are disabled. */
export function createHttpClient(network: NetworkOptions, timeoutMs: number) {
  const pool = new ConnectionPool(network)

  async function post(
    { origin, pathname, search }: URL,
    body: string,
    signature: string | undefined,
  ): Promise<AttemptResult> {
    const startedAt = performance.now()
    const request = { path: pathname + search, headers: { ...HEADERS, 'webhook-signature': signature }, body }
    let connection = pool.acquire(origin)
    let isTimedOut = false
    const timer = setTimeout(() => {
      isTimedOut = true
      connection.destroy()
    }, timeoutMs)
    let result = await sendRequest(connection, request)
    // The receiver closed an idle connection, possibly before it saw the request: retried on a fresh one.
    if ('failure' in result && result.wasStale && !isTimedOut) {
      connection = pool.open(origin)
      result = await sendRequest(connection, request)
    }
    clearTimeout(timer)
    if ('failure' in result) {
      return {
        duration_ms: elapsedMs(startedAt),
        status: null,
        error: isTimedOut ? 'timeout' : result.failure,
        response: null,
      }
    }
    const { status, receivedAt, response } = result
    return { duration_ms: elapsedMs(startedAt, receivedAt), status, error: null, response }
  }

  return { post, close: () => pool.close() }
}

function elapsedMs(startedAt: number, endedAt = performance.now()): number {
  return Math.round(endedAt - startedAt)
}
