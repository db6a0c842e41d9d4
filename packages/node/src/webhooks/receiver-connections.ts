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
export class ConnectionPool {
  readonly #network: NetworkOptions
  readonly #maxIdle: number
  readonly #destroyers = new Map<Connection, () => Promise<void>>()
  /** Ordered by idle time, longest first; so are the lists of `#idleByOrigin`. */
  readonly #idle = new Set<Connection>()
  readonly #idleByOrigin = new Map<string, Connection[]>()
  #isClosed = false

  constructor(network: NetworkOptions, maxIdle = MAX_IDLE) {
    this.#network = network
    this.#maxIdle = maxIdle
  }

  /** Prefers the most recently used connection, because it is the least likely to have been closed. */
  acquire(origin: string): Connection {
    const connection = this.#idleByOrigin.get(origin)?.at(-1)
    if (!connection) return this.open(origin)
    this.#removeIdle(connection, origin)
    return connection
  }

  open(origin: string): Connection {
    const abort = new AbortController()
    const client = this.#createClient(origin, abort.signal)
    let isFresh = true
    const destroy = () => {
      this.#destroyers.delete(connection)
      this.#removeIdle(connection, origin)
      abort.abort()
      return client.destroy()
    }
    const connection: Connection = {
      client,
      isFresh: () => isFresh,
      release: () => {
        if (!this.#destroyers.has(connection)) return
        isFresh = false
        this.#addIdle(connection, origin)
      },
      destroy: () => void destroy(),
    }
    // The client reconnects when the connection closed before the request was written.
    client.on('connect', () => {
      isFresh = true
    })
    client.on('disconnect', () => {
      if (this.#idle.has(connection)) connection.destroy()
    })
    this.#destroyers.set(connection, destroy)
    if (this.#isClosed) connection.destroy()
    return connection
  }

  /** Destroys all connections. Connections opened later are destroyed at once. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#destroyers.values()].map((destroy) => destroy()))
  }

  #createClient(origin: string, signal: AbortSignal): Client {
    return new Client(origin, {
      connect: restrictedConnector(this.#network, signal),
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
    })
  }

  #addIdle(connection: Connection, origin: string): void {
    this.#idle.add(connection)
    this.#idleByOrigin.set(origin, [...(this.#idleByOrigin.get(origin) ?? []), connection])
    if (this.#idle.size > this.#maxIdle) this.#idle.keys().next().value?.destroy()
  }

  #removeIdle(connection: Connection, origin: string): void {
    if (!this.#idle.delete(connection)) return
    const others = this.#idleByOrigin.get(origin)!.filter((other) => other !== connection)
    if (others.length > 0) this.#idleByOrigin.set(origin, others)
    else this.#idleByOrigin.delete(origin)
  }
}
