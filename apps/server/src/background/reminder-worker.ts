import type { ReminderApi } from '@sales-crm/core'
import { FailureLog } from '../observability/failure-log.ts'
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
  const failures = new FailureLog(log, {
    failure: 'Sending reminders failed. It will be retried until it succeeds.',
    recovery: 'Reminders are being sent again.',
  })

  async function sendReminders(): Promise<void> {
    try {
      while (!isStopped && (await reminders.send(() => !isStopped)) > 0);
      failures.reportSuccess()
    } catch (error) {
      failures.reportFailure(error)
    }
  }

  const stop = startInterval(INTERVAL_MS, sendReminders)
  return () => {
    isStopped = true
    return stop()
  }
}
