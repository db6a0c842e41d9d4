import { Client } from 'undici'
import { type NetworkOptions, restrictedConnector } from '../outbound-http/restricted-connector.ts'

/** Connections without work. With one more, the one that has waited longest is closed. */
const MAX_IDLE = 512
/** What a receiver may ask for at most with `Keep-Alive: timeout=`. */
const MAX_KEEP_ALIVE_MS = 60_000

/** One connection to a receiver, for one request at a time. It connects with the first. */
export interface Connection {
  readonly client: Client
  /** Whether nothing was answered on it yet. */
  isFresh(): boolean
  /** After a whole answer: it may be taken again, until the receiver closes it or nobody wants it for seconds. */
  release(): void
  /** Ends what is under way on it, connecting included. Safe to call twice. */
  destroy(): void
}

/** Each connection has its own client, so that it is known which one is fresh, and each can be ended. */
export function createConnectionPool(network: NetworkOptions, maxIdle = MAX_IDLE) {
  const destroyers = new Map<Connection, () => Promise<void>>()
  /** The one that has waited longest stands first, here and among those of one origin. */
  const idle = new Set<Connection>()
  const idleByOrigin = new Map<string, Connection[]>()
  let isClosed = false

  function removeIdle(connection: Connection, origin: string): void {
    if (!idle.delete(connection)) return
    const others = idleByOrigin.get(origin)!.filter((each) => each !== connection)
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

    // A request that was waiting for a connection that closed is sent on a new one.
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

  /** The one that was used last, since it is the least likely to have been closed. */
  function acquire(origin: string): Connection {
    const reused = idleByOrigin.get(origin)?.at(-1)
    if (!reused) return open(origin)
    removeIdle(reused, origin)
    return reused
  }

  return {
    open,
    take: acquire,
    /** Ends every connection; those that are opened after it are of no use. */
    async close(): Promise<void> {
      isClosed = true
      await Promise.all([...destroyers.values()].map((destroy) => destroy()))
    },
  }
}
