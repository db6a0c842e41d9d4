import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const LINGER_MS = 2_000
/** Requests that one connection may have waiting, each sent before the one ahead of it was answered. */
const MAX_PIPELINED_REQUESTS = 100

/** The open connections, and on each the answers that are still owed, in order. */
export interface SocketTracker {
  add(socket: Socket): void
  addResponse(socket: Socket, outgoing: ServerResponse): void
  pendingResponses(socket: Socket): readonly ServerResponse[]
  /**
   * Begins the work on an answer once those before it on its connection are out, so that nobody has many made
   * at once and takes none. What the connection no longer waits for is never begun. One with too many waiting
   * is ended.
   */
  enqueue(outgoing: ServerResponse, work: () => void): void
  /**
   * Has the last answer owed on the connection close it, and none before: that would cut off those that
   * follow.
   */
  closeAfterResponses(socket: Socket): void
  sockets(): Iterable<Socket>
  /** Ends the connections on which nothing is owed. */
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
      previous.once('close', () => socket.destroyed || work())
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
 * Closing on a caller who is still sending would reset the connection and could take the answer with it:
 * reads on for a while.
 */
export function lingeringClose(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.end()
  socket.resume()
}
