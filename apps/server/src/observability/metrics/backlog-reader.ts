import type { BacklogView } from '@sales-crm/core'
import type { Logger } from 'pino'
import { withTimeout } from '../../process/timeout.ts'
import { serializeError } from '../redaction.ts'

const QUERY_TIMEOUT_MS = 2000

/**
 * Gives what waits now, or undefined where that cannot be said in two seconds. Those who ask at once share
 * one query, and while one that is late is still under way there is no other, so that a database in trouble
 * is not asked ever more. What comes late is nobody's.
 */
export function createBacklogReader(
  read: () => Promise<BacklogView>,
  log: Pick<Logger, 'info' | 'error'>,
): () => Promise<BacklogView | undefined> {
  let pending: Promise<BacklogView | undefined> | undefined
  let failing = false

  function startQuery(): Promise<BacklogView | undefined> {
    const query = read()
    const clearPending = () => {
      pending = undefined
    }
    query.then(clearPending, clearPending)
    return withTimeout(query, QUERY_TIMEOUT_MS, 'The database took too long.').then(
      (backlog) => {
        if (failing) log.info('What waits to be delivered is measured again.')
        failing = false
        return backlog
      },
      (error: unknown) => {
        if (!failing)
          log.error(
            { err: serializeError(error) },
            'Measuring what waits to be delivered failed. It is left out until it works.',
          )
        failing = true
        return undefined
      },
    )
  }

  return () => {
    pending ??= startQuery()
    return pending
  }
}
