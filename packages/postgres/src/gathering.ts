import type { Writable } from 'node:stream'
import type pg from 'pg'

/** What is sent in one turn goes out in one write, at the turn's end: a system call costs more than most queries. */
export function corked(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } }).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}
