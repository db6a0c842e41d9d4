import type { Socket } from 'node:net'
import type pg from 'pg'

/**
 * Destroys a connection whose server stopped responding, which enforces no timeout of its own; all pending
 * statements fail. Uses one timer per connection, where `pg`'s `query_timeout` uses one per query.
 * @param milliseconds since the last request or response
 */
export function setSocketTimeout(client: pg.ClientBase, milliseconds: number): void {
  const reason = `PostgreSQL has not answered for ${milliseconds / 1000} s.`
  watchSilence(client, milliseconds, (stream) => stream.destroy(new Error(reason)))
}

/**
 * Calls `onSilence` when a server has not responded to a pending statement, and again after each such time.
 * @param milliseconds since the last request or response
 */
export function watchSilence(
  client: pg.ClientBase,
  milliseconds: number,
  onSilence: (stream: Socket) => void,
): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  let isWaiting = false

  const timer = setTimeout(() => {
    if (!isWaiting) return
    onSilence(stream)
    timer.refresh()
  }, milliseconds).unref()

  stream.write = (...args: unknown[]): boolean => {
    if (!isWaiting) timer.refresh()
    isWaiting = true
    return write(...args)
  }
  stream.on('data', () => timer.refresh())
  stream.once('close', () => clearTimeout(timer))
  // No statement is pending.
  client.on('drain', () => {
    isWaiting = false
  })
}
