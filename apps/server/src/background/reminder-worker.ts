import type { ReminderApi } from '@sales-crm/core'
import { serializeError } from '../observability/redaction.ts'
import type { ServiceLog } from '../observability/service-log.ts'
import { startInterval } from '../process/interval.ts'

const INTERVAL_MS = 5_000

/**
 * Sends due reminders every five seconds.
 * @returns function that stops the worker and waits for a running transaction
 */
export function startReminderWorker(
  reminders: ReminderApi,
  log: Pick<ServiceLog, 'error' | 'info'>,
): () => Promise<void> {
  let isStopped = false
  let isFailing = false

  async function sendReminders(): Promise<void> {
    try {
      while (!isStopped && (await reminders.send(() => !isStopped)) > 0);
      if (isFailing) log.info('Reminders are being sent again.')
      isFailing = false
    } catch (error) {
      // Logged once, because it is retried every few seconds.
      if (!isFailing)
        log.error(
          { err: serializeError(error) },
          'Sending reminders failed. It will be retried until it succeeds.',
        )
      isFailing = true
    }
  }

  const stop = startInterval(INTERVAL_MS, sendReminders)
  return () => {
    isStopped = true
    return stop()
  }
}
