import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const LINGER_MS = 2_000
/** Maximum number of pipelined requests waiting on one connection: each takes some KiB before its turn. */
const MAX_PIPELINED_REQUESTS = 20

/** Tracks the open connections and, per connection, the pending responses in order. */
export interface SocketTracker {
  add(socket: Socket): void
  addResponse(socket: Socket, outgoing: ServerResponse): void
  pendingResponses(socket: Socket): readonly ServerResponse[]
  /**
   * Starts `work` once the previous responses on the connection have been sent, so that a client that reads
   * nothing cannot have many computed. If the connection closes first, `work` does not run. A connection with
   * too many waiting requests is destroyed.
   */
  enqueue(outgoing: ServerResponse, work: () => void): void
  /**
   * Sets `Connection: close` on the last pending response only: on an earlier one it would cut off the later
   * ones.
   */
  closeAfterResponses(socket: Socket): void
  sockets(): Iterable<Socket>
  /** Destroys the connections without pending responses. */
  closeIdle(): void
}

export function createSocketTracker(): SocketTracker {
  const pending = new Map<Socket, Set<ServerResponse>>()
  const pendingResponses = (socket: Socket) => [...(pending.get(socket) ?? [])]

  return {
    pendingResponses,
    add(socket) {
      pending.set(socket, new Set())
      socket.once('close', () => pending.delete(socket))
      const { destroySoon } = socket
      socket.destroySoon = () => {
        const stillSending = pendingResponses(socket).some(({ req }) => !req.complete)
        if (stillSending) lingeringClose(socket)
        else destroySoon.call(socket)
      }
    },
    addResponse(socket, outgoing) {
      const responses = pending.get(socket)
      responses?.add(outgoing)
      outgoing.once('close', () => responses?.delete(outgoing))
    },
    enqueue({ req: { socket } }, work) {
      const previous = pendingResponses(socket).at(-2)
      if (!previous) return work()
      if (pending.get(socket)!.size > MAX_PIPELINED_REQUESTS) return void socket.destroy()
      // In another turn of the event loop: a connection must not take one turn for all its requests.
      previous.once('close', () => setImmediate(() => socket.destroyed || work()))
    },
    closeAfterResponses(socket) {
      const responses = pendingResponses(socket).filter(({ headersSent }) => !headersSent)
      for (const response of responses)
        if (response.hasHeader('Connection')) response.removeHeader('Connection')
      const last = pendingResponses(socket).at(-1)
      if (last && !last.headersSent) last.setHeader('Connection', 'close')
    },
    sockets: () => pending.keys(),
    closeIdle() {
      for (const [socket, responses] of pending) if (responses.size === 0) socket.destroy()
    },
  }
}

/**
 * Closing while the client still sends would reset the connection and could lose the response, so the socket
 * is read for a while longer.
 */
export function lingeringClose(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.end()
  socket.resume()
}
