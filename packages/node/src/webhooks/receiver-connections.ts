import { Client } from 'undici'
import { type NetworkOptions, restrictedConnector } from '../outbound-http/restricted-connector.ts'

/** Maximum idle connections. Beyond it, the connection that has been idle longest is closed. */
const MAX_IDLE = 512
/** Upper bound for the receiver's `Keep-Alive: timeout=`. */
const MAX_KEEP_ALIVE_MS = 60_000

/** One connection to a receiver, for one request at a time. It connects on the first request. */
export interface Connection {
  readonly client: Client
  /** True until a response has completed since it connected. */
  isFresh(): boolean
  /** Returns it to the pool, after a complete response. The receiver or the idle timeout may close it. */
  release(): void
  /** Aborts the request or the connection attempt in progress. Safe to call twice. */
  destroy(): void
}

/** Uses one undici client per connection: each can be destroyed alone, and its freshness is known. */
export function createConnectionPool(network: NetworkOptions, maxIdle = MAX_IDLE) {
  const destroyers = new Map<Connection, () => Promise<void>>()
  /** Ordered by idle time, longest first; so are the lists of `idleByOrigin`. */
  const idle = new Set<Connection>()
  const idleByOrigin = new Map<string, Connection[]>()
  let isClosed = false

  function removeIdle(connection: Connection, origin: string): void {
    if (!idle.delete(connection)) return
    const others = idleByOrigin.get(origin)!.filter((other) => other !== connection)
    if (others.length > 0) idleByOrigin.set(origin, others)
    else idleByOrigin.delete(origin)
  }

  function open(origin: string): Connection {
    const abort = new AbortController()
    const client = new Client(origin, {
      connect: restrictedConnector(network, abort.signal),
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
    })
    let isFresh = true
    const connection: Connection = {
      client,
      isFresh: () => isFresh,
      release() {
        if (!destroyers.has(connection)) return
        isFresh = false
        idle.add(connection)
        idleByOrigin.set(origin, [...(idleByOrigin.get(origin) ?? []), connection])
        if (idle.size > maxIdle) idle.keys().next().value?.destroy()
      },
      destroy: () => void destroy(),
    }

    function destroy(): Promise<void> {
      destroyers.delete(connection)
      removeIdle(connection, origin)
      abort.abort()
      return client.destroy()
    }

    // The client reconnects when the connection closed before the request was written.
    client.on('connect', () => {
      isFresh = true
    })
    client.on('disconnect', () => {
      if (idle.has(connection)) connection.destroy()
    })
    destroyers.set(connection, destroy)
    if (isClosed) connection.destroy()
    return connection
  }

  /** Prefers the most recently used connection, because it is the least likely to have been closed. */
  function acquire(origin: string): Connection {
    const connection = idleByOrigin.get(origin)?.at(-1)
    if (!connection) return open(origin)
    removeIdle(connection, origin)
    return connection
  }

  return {
    open,
    acquire,
    /** Destroys all connections. Connections opened later are destroyed at once. */
    async close(): Promise<void> {
      isClosed = true
      await Promise.all([...destroyers.values()].map((destroy) => destroy()))
    },
  }
}
