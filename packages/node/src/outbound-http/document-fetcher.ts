import type { FetchDocument, FetchedDocument } from '@sales-crm/core/ports'
import type { FetchUrl, ResponseHeaders } from './fetch-public-url.ts'

const FETCH_LIMITS = { deadlineMs: 5000, maxBytes: 65_536, accept: 'application/json' }
/**
 * Unauthenticated callers can trigger fetches, so few run concurrently, and fewer to one host, which may be
 * slow on purpose.
 */
const [MAX_CONCURRENT, MAX_PER_HOST] = [8, 2]
const FAILURE_TTL_MS = 60_000
const MAX_CACHED_FAILURES = 1000
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json[\t ]*(?:;|$)/i

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Fetches JSON documents from URLs that unauthenticated callers choose. Concurrent calls for one URL share
 * one request. A URL that failed is not fetched again for a minute. Returns `undefined` on failure, and when
 * the concurrency limit is reached.
 * @param monotonicNow a monotonic clock, in milliseconds
 */
export function documentFetcher(
  fetchUrl: FetchUrl,
  monotonicNow: () => number = () => performance.now(),
): FetchDocument {
  const inFlight = new Map<string, Promise<FetchedDocument | undefined>>()
  const failures = new Map<string, number>()

  async function fetchAndParse(url: string): Promise<FetchedDocument | undefined> {
    const response = await fetchUrl(url, FETCH_LIMITS)
    const document = 'failure' in response ? undefined : parseDocument(response)
    if (!document) rememberFailure(url)
    return document
  }

  function rememberFailure(url: string): void {
    failures.delete(url)
    const [oldest] = failures.keys()
    if (failures.size >= MAX_CACHED_FAILURES && oldest !== undefined) failures.delete(oldest)
    failures.set(url, monotonicNow())
  }

  function hasCapacity(host: string): boolean {
    const countAtHost = [...inFlight.keys()].filter((url) => new URL(url).host === host).length
    return inFlight.size < MAX_CONCURRENT && countAtHost < MAX_PER_HOST
  }

  return async (url) => {
    const failedAt = failures.get(url)
    if (failedAt !== undefined && monotonicNow() - failedAt < FAILURE_TTL_MS) return undefined
    const pending = inFlight.get(url)
    if (pending) return pending
    if (!hasCapacity(new URL(url).host)) return undefined
    const fetching = fetchAndParse(url).finally(() => inFlight.delete(url))
    inFlight.set(url, fetching)
    return fetching
  }
}

/** Returns `undefined` when the content type is not JSON or the body is not UTF-8. */
function parseDocument({
  bytes,
  headers,
}: {
  readonly bytes: Uint8Array
  readonly headers: ResponseHeaders
}): FetchedDocument | undefined {
  const type = headers['content-type']
  if (typeof type !== 'string' || !JSON_TYPE.test(type)) return undefined
  try {
    return { text: utf8.decode(bytes), max_age: parseMaxAge(headers['cache-control']) }
  } catch {
    return undefined
  }
}

function parseMaxAge(header: ResponseHeaders[string]): number | undefined {
  const directives = [header ?? []].flat().join(',').toLowerCase()
  if (/(?:^|[,\s])no-(?:store|cache)(?=$|[,\s=])/.test(directives)) return 0
  const seconds = /(?:^|[,\s])max-age="?(\d{1,9})/.exec(directives)?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}
