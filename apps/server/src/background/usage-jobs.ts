import type { UsageApi } from '@sales-crm/core'
import { FailureLog } from '../observability/failure-log.ts'
import { serializeError } from '../observability/redaction.ts'
import type { ServiceLog } from '../observability/service-log.ts'
import { startInterval } from '../process/interval.ts'

const SAVE_INTERVAL_MS = 10_000
const EVENT_INTERVAL_MS = 60_000

/**
 * Saves the counted calls every ten seconds.
 * @returns function that stops the job and saves the last calls
 */
export function startUsageSaveJob(
  usage: Pick<UsageApi, 'save'>,
  log: Pick<ServiceLog, 'info' | 'error'>,
): () => Promise<void> {
  const failures = new FailureLog(log, {
    failure: 'Saving API usage failed. It will be retried until it succeeds.',
    recovery: 'API usage is being saved again.',
  })

  async function save(): Promise<void> {
    try {
      await usage.save()
      failures.reportSuccess()
    } catch (error) {
      failures.reportFailure(error)
    }
  }

  const stop = startInterval(SAVE_INTERVAL_MS, save)
  return async () => {
    await stop()
    await save()
  }
}

/**
 * Emits the usage events of completed hours, at once and every minute.
 * @returns function that stops the job and waits for a running round
 */
export function startUsageEventJob(
  usage: Pick<UsageApi, 'announce'>,
  log: Pick<ServiceLog, 'error'>,
): () => Promise<void> {
  let isStopped = false

  async function emitEvents(): Promise<void> {
    try {
      while (!isStopped && (await usage.announce()) > 0);
    } catch (error) {
      log.error(
        { err: serializeError(error) },
        'Emitting usage events failed. It will be retried in a minute.',
      )
    }
  }

  const stop = startInterval(EVENT_INTERVAL_MS, emitEvents, true)
  return () => {
    isStopped = true
    return stop()
  }
}
