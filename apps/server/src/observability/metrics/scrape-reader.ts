import { withTimeout } from '../../process/timeout.ts'
import { FailureLog } from '../failure-log.ts'
import type { ServiceLog } from '../service-log.ts'

const QUERY_TIMEOUT_MS = 2000

/**
 * Reads from the database for a scrape, or returns undefined after two seconds. Concurrent calls share one query, and no new
 * query starts while a slow one is running, so that scrapes do not add load to a database in trouble. A late
 * result is discarded.
 */
export function createScrapeReader<T>(
  subject: string,
  read: () => Promise<T>,
  log: Pick<ServiceLog, 'info' | 'error'>,
): () => Promise<T | undefined> {
  let pending: Promise<T | undefined> | undefined
  const failures = new FailureLog(log, {
    failure: `Reading the ${subject} failed. Its metrics are omitted until it succeeds.`,
    recovery: `The ${subject} can be read again.`,
  })

  function startQuery(): Promise<T | undefined> {
    const query = read()
    const clearPending = () => {
      pending = undefined
    }
    query.then(clearPending, clearPending)
    return withTimeout(query, QUERY_TIMEOUT_MS, () => new Error('The database took too long.')).then(
      (result) => {
        failures.reportSuccess()
        return result
      },
      (error: unknown) => {
        failures.reportFailure(error)
        return undefined
      },
    )
  }

  return () => {
    pending ??= startQuery()
    return pending
  }
}
