import type { Writable } from 'node:stream'
import type pg from 'pg'

/**
 * Sends a client's writes as one chunk, deferred: `pg` writes four small chunks per query, each of which
 * costs more than the query's own work in this process.
 * @param schedule defers the flush: `process.nextTick` for a connection with one caller, `setImmediate`
 * (after the input of this event loop turn) for a shared one
 */
export function coalesceWrites(client: pg.ClientBase, schedule: (flush: () => void) => void): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } }).connection
  const write: Writable['write'] = stream.write.bind(stream)
  let chunks: Uint8Array[] = []

  function flush(): void {
    if (chunks.length > 0) write(Buffer.concat(chunks))
    chunks = []
  }

  stream.write = (chunk: Uint8Array, ...rest: never[]): boolean => {
    if (rest.length > 0) {
      flush()
      return write(chunk, ...rest)
    }
    if (chunks.length === 0) schedule(flush)
    chunks.push(chunk)
    return true
  }
}
