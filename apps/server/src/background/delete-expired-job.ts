import type { Crm } from '@sales-crm/core'
import type { Logger } from 'pino'
import { serializeError } from '../http/errors.ts'
import { startInterval } from '../process/interval.ts'

const INTERVAL_MS = 300_000

/** Has the core forget what is past its time, every few minutes. @returns what ends it, once a round under way is over */
export function startDeleteExpiredJob(
  crm: Pick<Crm, 'deleteExpired'>,
  log: Pick<Logger, 'error'>,
): () => Promise<void> {
  let stopped = false

  async function deleteExpired(): Promise<void> {
    try {
      // Small portions, so that nobody waits for long.
      while (!stopped && (await crm.deleteExpired()) > 0);
    } catch (error) {
      log.error(
        { err: serializeError(error) },
        'Tidying the database failed. It is tried again in a few minutes.',
      )
    }
  }

  const stop = startInterval(INTERVAL_MS, deleteExpired)
  return () => {
    stopped = true
    return stop()
  }
}
