import type { Writable } from 'node:stream'
import type pg from 'pg'

/**
 * Has what a client sends go out as one chunk, later. `pg` writes four small chunks for each query, and each
 * costs more than the query's own work here.
 * @param schedule calls what it is given once nothing more is to go along: `process.nextTick` for a
 * connection that one caller has, `setImmediate`, after all that has come in in this turn of the event loop,
 * for one that many share
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
