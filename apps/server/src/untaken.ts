import type { ServerResponse } from 'node:http'

/** Of an answer that is not taken at once: so long, and a second more for so many bytes. Else who takes a few now and then would have it kept. */
const TAKING_MS = 60_000
const TAKEN_A_SECOND = 64 * 1024
/** Bytes that answers which nobody has taken yet hold together. */
const MOST_HELD = 256 * 1024 * 1024

/**
 * Watches over answers, each whole by the time it is told of. A connection is ended whose answer is not taken in time, and beyond `mostHeld` bytes together
 * the one that has held its answer longest.
 */
export function untakenAnswers(mostHeld = MOST_HELD) {
  /** With the bytes that were left of each when it was last looked at, in the order they came. */
  const held = new Map<ServerResponse, number>()
  let sum = 0

  function note(outgoing: ServerResponse, left: number): void {
    sum += left - (held.get(outgoing) ?? 0)
    held.set(outgoing, left)
  }

  function letGo(outgoing: ServerResponse): void {
    note(outgoing, 0)
    held.delete(outgoing)
  }

  function makeRoom(): void {
    for (const each of held.keys()) note(each, each.writableLength)
    for (const oldest of held.keys()) {
      if (sum <= mostHeld) return
      letGo(oldest)
      oldest.socket?.destroy()
    }
  }

  return {
    hold(outgoing: ServerResponse): void {
      const { socket, writableLength } = outgoing
      if (!socket || writableLength === 0) return
      const timer = setTimeout(() => socket.destroy(), TAKING_MS + (writableLength / TAKEN_A_SECOND) * 1000)
      outgoing.once('close', () => {
        clearTimeout(timer)
        letGo(outgoing)
      })
      note(outgoing, writableLength)
      if (sum > mostHeld) makeRoom()
    },
  }
}
