import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const LINGER_MS = 2_000
/** Requests that one connection may have waiting, each sent before the one ahead of it was answered. */
const MOST_WAITING = 100

/** The open connections, and on each the answers that are still owed, in order. */
export interface Connections {
  opened(socket: Socket): void
  began(socket: Socket, outgoing: ServerResponse): void
  owedOn(socket: Socket): readonly ServerResponse[]
  /**
   * Begins the work on an answer once those before it on its connection are out, so that nobody has many made at once and takes none.
   * What the connection no longer waits for is never begun. One with too many waiting is ended.
   */
  inTurn(outgoing: ServerResponse, work: () => void): void
  /** Has the last answer owed on the connection close it, and none before: that would cut off those that follow. */
  closeAfterAnswers(socket: Socket): void
  all(): Iterable<Socket>
  /** Ends the connections on which nothing is owed. */
  closeIdle(): void
}

export function createConnections(): Connections {
  const owed = new Map<Socket, Set<ServerResponse>>()
  const owedOn = (socket: Socket) => [...(owed.get(socket) ?? [])]

  return {
    owedOn,
    opened(socket) {
      owed.set(socket, new Set())
      socket.once('close', () => owed.delete(socket))
      const { destroySoon } = socket
      socket.destroySoon = () => {
        const stillSending = owedOn(socket).some(({ req }) => !req.complete)
        if (stillSending) linger(socket)
        else destroySoon.call(socket)
      }
    },
    began(socket, outgoing) {
      const answers = owed.get(socket)
      answers?.add(outgoing)
      outgoing.once('close', () => answers?.delete(outgoing))
    },
    inTurn({ req: { socket } }, work) {
      const ahead = owedOn(socket).at(-2)
      if (!ahead) return work()
      if (owed.get(socket)!.size > MOST_WAITING) return void socket.destroy()
      ahead.once('close', () => socket.destroyed || work())
    },
    closeAfterAnswers(socket) {
      const answers = owedOn(socket).filter(({ headersSent }) => !headersSent)
      for (const answer of answers) if (answer.hasHeader('Connection')) answer.removeHeader('Connection')
      const last = owedOn(socket).at(-1)
      if (last && !last.headersSent) last.setHeader('Connection', 'close')
    },
    all: () => owed.keys(),
    closeIdle() {
      for (const [socket, answers] of owed) if (answers.size === 0) socket.destroy()
    },
  }
}

/** Closing on a caller who is still sending would reset the connection and could take the answer with it: reads on for a while. */
export function linger(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.end()
  socket.resume()
}
