import type { ServerResponse } from 'node:http'

/**
 * Of an answer that is not taken at once: so long, and a second more for so many bytes. Else who takes a few
 * now and then would have it kept.
 */
const READ_TIMEOUT_MS = 60_000
const MIN_BYTES_PER_SECOND = 64 * 1024
/** Bytes that answers which nobody has taken yet hold together. */
const MAX_BUFFERED_BYTES = 256 * 1024 * 1024

/**
 * Watches over answers, each whole by the time it is told of. A connection is ended whose answer is not taken
 * in time, and beyond `mostHeld` bytes together the one that has held its answer longest.
 */
export function limitSlowReaders(maxBufferedBytes = MAX_BUFFERED_BYTES) {
  /** With the bytes that were left of each when it was last looked at, in the order they came. */
  const bufferedBytes = new Map<ServerResponse, number>()
  let bufferedTotal = 0

  function setBufferedBytes(outgoing: ServerResponse, left: number): void {
    bufferedTotal += left - (bufferedBytes.get(outgoing) ?? 0)
    bufferedBytes.set(outgoing, left)
  }

  function release(outgoing: ServerResponse): void {
    setBufferedBytes(outgoing, 0)
    bufferedBytes.delete(outgoing)
  }

  function disconnectOldest(): void {
    for (const each of bufferedBytes.keys()) setBufferedBytes(each, each.writableLength)
    for (const oldest of bufferedBytes.keys()) {
      if (bufferedTotal <= maxBufferedBytes) return
      release(oldest)
      oldest.socket?.destroy()
    }
  }

  return {
    watch(outgoing: ServerResponse): void {
      const { socket, writableLength } = outgoing
      if (!socket || writableLength === 0) return
      const timer = setTimeout(
        () => socket.destroy(),
        READ_TIMEOUT_MS + (writableLength / MIN_BYTES_PER_SECOND) * 1000,
      )
      outgoing.once('close', () => {
        clearTimeout(timer)
        release(outgoing)
      })
      setBufferedBytes(outgoing, writableLength)
      if (bufferedTotal > maxBufferedBytes) disconnectOldest()
    },
  }
}
