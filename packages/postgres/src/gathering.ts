import type { Writable } from 'node:stream'
import type pg from 'pg'

/**
 * Has what a client sends within one turn go out as one chunk, at the turn's end. `pg` writes four small chunks for each query,
 * and each costs more than the query's own work here.
 */
export function gathering(client: pg.ClientBase): void {
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
    if (chunks.length === 0) process.nextTick(flush)
    chunks.push(chunk)
    return true
  }
}
