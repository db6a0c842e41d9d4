import type { Crm } from '@sales-crm/core'
import { serializeError } from '../observability/redaction.ts'
import type { ServiceLog } from '../observability/service-log.ts'
import { startInterval } from '../process/interval.ts'

const INTERVAL_MS = 300_000

/**
 * Deletes expired data every five minutes.
 * @returns function that stops the job and waits for a running round
 */
export function startDeleteExpiredJob(
  crm: Pick<Crm, 'deleteExpired'>,
  log: Pick<ServiceLog, 'error'>,
): () => Promise<void> {
  let isStopped = false

  async function deleteExpired(): Promise<void> {
    try {
      // Deletes in small batches, so that other writers do not wait long.
      while (!isStopped && (await crm.deleteExpired()) > 0);
    } catch (error) {
      log.error(
        { err: serializeError(error) },
        'Deleting expired records failed. It will be retried in a few minutes.',
      )
    }
  }

  const stop = startInterval(INTERVAL_MS, deleteExpired)
  return () => {
    isStopped = true
    return stop()
  }
}
