import type { ServerResponse } from 'node:http'

/**
 * Time to read a buffered response, plus a second per `MIN_BYTES_PER_SECOND`. Without it a client that reads
 * a few bytes at times would keep the response in memory.
 */
const READ_TIMEOUT_MS = 60_000
const MIN_BYTES_PER_SECOND = 64 * 1024
/** Maximum bytes of unread responses of all connections. */
const MAX_UNREAD_BYTES = 128 * 1024 * 1024

/**
 * The responses that clients have not read. Disconnects clients that read too slowly: those whose response is
 * not read in time, and, when all unread responses exceed the maximum, those with the oldest responses of the
 * owner that has the most. An owner is a workspace, or the address of a caller without one.
 */
export class UnreadResponses {
  readonly #maxBytes: number
  /** Per owner, the oldest response first. */
  readonly #responses = new Map<string, Set<ServerResponse>>()

  constructor(maxBytes = MAX_UNREAD_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** Watches a complete response until it is read. */
  watch(outgoing: ServerResponse, owner: string): void {
    const { socket, writableLength } = outgoing
    if (!socket || writableLength === 0) return
    const timer = setTimeout(
      () => socket.destroy(),
      READ_TIMEOUT_MS + (writableLength / MIN_BYTES_PER_SECOND) * 1000,
    )
    const responses = this.#responses.get(owner) ?? new Set()
    this.#responses.set(owner, responses.add(outgoing))
    outgoing.once('close', () => {
      clearTimeout(timer)
      responses.delete(outgoing)
      if (responses.size === 0 && this.#responses.get(owner) === responses) this.#responses.delete(owner)
    })
    this.#disconnectOldest()
  }

  bytesOf(owner: string): number {
    let bytes = 0
    for (const { writableLength } of this.#responses.get(owner) ?? []) bytes += writableLength
    return bytes
  }

  #disconnectOldest(): void {
    const totals = new Map([...this.#responses.keys()].map((owner) => [owner, this.bytesOf(owner)]))
    let total = [...totals.values()].reduce((sum, bytes) => sum + bytes, 0)
    while (total > this.#maxBytes) {
      const [owner, bytes] = [...totals].reduce((a, b) => (b[1] > a[1] ? b : a))
      const [oldest] = this.#responses.get(owner)!
      const freed = oldest!.writableLength
      totals.set(owner, bytes - freed)
      total -= freed
      this.#responses.get(owner)!.delete(oldest!)
      oldest!.socket?.destroy()
    }
  }
}
