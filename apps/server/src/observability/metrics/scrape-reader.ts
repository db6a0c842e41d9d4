import { withTimeout } from '../../process/timeout.ts'
import { serializeError } from '../redaction.ts'
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
  let isFailing = false

  function startQuery(): Promise<T | undefined> {
    const query = read()
    const clearPending = () => {
      pending = undefined
    }
    query.then(clearPending, clearPending)
    return withTimeout(query, QUERY_TIMEOUT_MS, () => new Error('The database took too long.')).then(
      (result) => {
        if (isFailing) log.info(`The ${subject} can be read again.`)
        isFailing = false
        return result
      },
      (error: unknown) => {
        if (!isFailing)
          log.error(
            { err: serializeError(error) },
            `Reading the ${subject} failed. Its metrics are omitted until it succeeds.`,
          )
        isFailing = true
        return undefined
      },
    )
  }

  return () => {
    pending ??= startQuery()
    return pending
  }
}
