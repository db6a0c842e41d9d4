import type { Network } from '../guard/guarded-connector.ts'
import { openConnections } from './connections.ts'
import { exchange } from './exchange.ts'
import type { Posted } from './sender.ts'

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'sales-crm', 'accept-encoding': 'identity' }

/** Posts bodies over connections that it keeps. The deadline is the only clock of an attempt: those of the client itself are off. */
export function makePoster(network: Network, timeoutMs: number) {
  const connections = openConnections(network)

  async function post({ origin, pathname, search }: URL, body: string, signature: string | undefined): Promise<Posted> {
    const began = performance.now()
    const request = { path: pathname + search, headers: { ...HEADERS, 'webhook-signature': signature }, body }
    let connection = connections.take(origin)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      connection.end()
    }, timeoutMs)
    let exchanged = await exchange(connection, request)
    // The receiver closed a connection that it had kept open, and may never have seen the request: that is no failure of its own.
    if ('failure' in exchanged && exchanged.wasStale && !isLate) {
      connection = connections.open(origin)
      exchanged = await exchange(connection, request)
    }
    clearTimeout(timer)
    if ('failure' in exchanged) {
      return { duration_ms: millisecondsSince(began), status: null, error: isLate ? 'timeout' : exchanged.failure, response: null }
    }
    const { status, at, response } = exchanged
    return { duration_ms: millisecondsSince(began, at), status, error: null, response }
  }

  return { post, close: () => connections.close() }
}

function millisecondsSince(began: number, ended = performance.now()): number {
  return Math.round(ended - began)
}
