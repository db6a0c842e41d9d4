import { Client } from 'undici'
import { guardedConnector, type Network } from '../guard/guarded-connector.ts'

/** Connections without work. With one more, the one that has waited longest is closed. */
const MOST_IDLE = 512
/** What a receiver may ask for at most with `Keep-Alive: timeout=`. */
const IDLE_MS = 60_000

/** One connection to a receiver, for one request at a time. It connects with the first. */
export interface Connection {
  readonly client: Client
  /** Whether nothing was answered on it yet. */
  isFresh(): boolean
  /** After a whole answer: it may be taken again, until the receiver closes it or nobody wants it for seconds. */
  keep(): void
  /** Ends what is under way on it, connecting included. Safe to call twice. */
  end(): void
}

/** Each connection has its own client, so that it is known which one is fresh, and each can be ended. */
export function openConnections(network: Network, mostIdle = MOST_IDLE) {
  const all = new Map<Connection, () => Promise<void>>()
  /** The one that has waited longest stands first, here and among those of one origin. */
  const idle = new Set<Connection>()
  const idleOf = new Map<string, Connection[]>()
  let isClosed = false

  function wake(connection: Connection, origin: string): void {
    if (!idle.delete(connection)) return
    const others = idleOf.get(origin)!.filter((each) => each !== connection)
    if (others.length > 0) idleOf.set(origin, others)
    else idleOf.delete(origin)
  }

  function open(origin: string): Connection {
    const ending = new AbortController()
    const client = new Client(origin, {
      connect: guardedConnector(network, ending.signal),
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: IDLE_MS,
    })
    let isFresh = true
    const connection: Connection = {
      client,
      isFresh: () => isFresh,
      keep() {
        if (!all.has(connection)) return
        isFresh = false
        idle.add(connection)
        idleOf.set(origin, [...(idleOf.get(origin) ?? []), connection])
        if (idle.size > mostIdle) idle.keys().next().value?.end()
      },
      end: () => void destroy(),
    }

    function destroy(): Promise<void> {
      all.delete(connection)
      wake(connection, origin)
      ending.abort()
      return client.destroy()
    }

    // A request that was waiting for a connection that closed is sent on a new one.
    client.on('connect', () => {
      isFresh = true
    })
    client.on('disconnect', () => {
      if (idle.has(connection)) connection.end()
    })
    all.set(connection, destroy)
    if (isClosed) connection.end()
    return connection
  }

  /** The one that was used last, since it is the least likely to have been closed. */
  function take(origin: string): Connection {
    const kept = idleOf.get(origin)?.at(-1)
    if (!kept) return open(origin)
    wake(kept, origin)
    return kept
  }

  return {
    open,
    take,
    /** Ends every connection; those that are opened after it are of no use. */
    async close(): Promise<void> {
      isClosed = true
      await Promise.all([...all.values()].map((destroy) => destroy()))
    },
  }
}
