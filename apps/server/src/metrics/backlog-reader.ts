import type { BacklogView } from '@sales-crm/core'
import type { Logger } from 'pino'
import { failureOf } from '../errors.ts'
import { inTime } from '../in-time.ts'

const PATIENCE_MS = 2000

/**
 * Gives what waits now, or undefined where that cannot be said in two seconds. Those who ask at once share one query, and while one that
 * is late is still under way there is no other, so that a database in trouble is not asked ever more. What comes late is nobody's.
 */
export function backlogReader(
  read: () => Promise<BacklogView>,
  log: Pick<Logger, 'info' | 'error'>,
): () => Promise<BacklogView | undefined> {
  let shared: Promise<BacklogView | undefined> | undefined
  let failing = false

  function begin(): Promise<BacklogView | undefined> {
    const query = read()
    const forget = () => {
      shared = undefined
    }
    query.then(forget, forget)
    return inTime(query, PATIENCE_MS, 'The database took too long.').then(
      (backlog) => {
        if (failing) log.info('What waits to be delivered is measured again.')
        failing = false
        return backlog
      },
      (error: unknown) => {
        if (!failing) log.error({ err: failureOf(error) }, 'Measuring what waits to be delivered failed. It is left out until it works.')
        failing = true
        return undefined
      },
    )
  }

  return () => {
    shared ??= begin()
    return shared
  }
}
