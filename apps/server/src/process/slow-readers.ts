import type { ServerResponse } from 'node:http'

/**
 * Time to read a buffered response, plus a second per `MIN_BYTES_PER_SECOND`. Without it a client that reads
 * a few bytes at times would keep the response in memory.
 */
const READ_TIMEOUT_MS = 60_000
const MIN_BYTES_PER_SECOND = 64 * 1024
/** Maximum bytes of unread responses of all connections. */
const MAX_BUFFERED_BYTES = 256 * 1024 * 1024

/**
 * Disconnects clients that read too slowly: those whose response is not read in time, and, when all unread
 * responses exceed `maxBufferedBytes`, those with the oldest responses. Responses are complete when they are
 * watched.
 */
export function limitSlowReaders(maxBufferedBytes = MAX_BUFFERED_BYTES) {
  /** The bytes buffered for each response at the last measurement, oldest response first. */
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
