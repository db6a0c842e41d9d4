import type { Socket } from 'node:net'
import type pg from 'pg'

/**
 * Calls `onSilence` each time a server has not responded to a pending statement for as long again. Uses one timer per
 * connection, where `pg`'s `query_timeout` uses one per query.
 * @param interval milliseconds
 * @param onSilence receives the milliseconds since the last request or response
 */
export function watchSilence(
  client: pg.ClientBase,
  interval: number,
  onSilence: (milliseconds: number, stream: Socket) => void,
): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  let isWaiting = false
  let silence = 0

  const timer = setTimeout(() => {
    if (!isWaiting) return
    silence += interval
    onSilence(silence, stream)
    timer.refresh()
  }, interval).unref()
  const restart = () => {
    silence = 0
    timer.refresh()
  }

  stream.write = (...args: unknown[]): boolean => {
    if (!isWaiting) restart()
    isWaiting = true
    return write(...args)
  }
  stream.on('data', restart)
  stream.once('close', () => clearTimeout(timer))
  // No statement is pending.
  client.on('drain', () => {
    isWaiting = false
  })
}
