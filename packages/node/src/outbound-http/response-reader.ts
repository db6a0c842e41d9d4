import type { Socket } from 'node:net'

const MAX_READ_BYTES = 1024

/**
 * Limits each read of the socket to 1 KiB, and returns nothing once the socket is destroyed. The client
 * checks the size of the response head at each header field, and creates an error for every field of the
 * chunk beyond the limit. A malicious server could send a large chunk of minimal fields.
 */
export function limitReadSize(socket: Socket): void {
  const read = socket.read.bind(socket)
  socket.read = (size) => {
    if (socket.destroyed) return null
    return read(size ?? (socket.readableLength > MAX_READ_BYTES ? MAX_READ_BYTES : undefined))
  }
}
