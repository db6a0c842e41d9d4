import type { Socket } from 'node:net'
import type pg from 'pg'

/**
 * Ends a connection whose server has stopped answering, and so keeps no time of its own: with it fails all
 * that was asked over it. One timer for each connection, where `pg`'s `query_timeout` takes one for each
 * query.
 * @param milliseconds without a sign of the server since something was asked or answered
 */
export function setSocketTimeout(client: pg.ClientBase, milliseconds: number): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  let isWaiting = false

  const timer = setTimeout(() => {
    if (isWaiting) stream.destroy(new Error(`PostgreSQL has not answered for ${milliseconds / 1000} s.`))
  }, milliseconds).unref()

  stream.write = (...args: unknown[]): boolean => {
    if (!isWaiting) timer.refresh()
    isWaiting = true
    return write(...args)
  }
  stream.on('data', () => timer.refresh())
  stream.once('close', () => clearTimeout(timer))
  // All that was asked has been answered.
  client.on('drain', () => {
    isWaiting = false
  })
}
