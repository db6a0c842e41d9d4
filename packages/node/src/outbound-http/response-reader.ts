import type { Socket } from 'node:net'

const MAX_READ_BYTES = 1024

/**
 * Gives a reader little at once, and nothing once the socket is destroyed. The client looks whether a head is too long with each field, and
 * makes an error of each that is beyond: of all that have come, which a stranger may have made of nothing but the shortest.
 */
export function limitReadSize(socket: Socket): void {
  const read = socket.read.bind(socket)
  socket.read = (size) => {
    if (socket.destroyed) return null
    return read(size ?? (socket.readableLength > MAX_READ_BYTES ? MAX_READ_BYTES : undefined))
  }
}
