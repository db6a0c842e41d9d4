import type { FetchDocument, FetchedDocument } from '@sales-crm/core/ports'
import type { ResponseHeaders } from './fetch-public-url.ts'
import type { OutboundClient } from './outbound-client.ts'

const FETCH_LIMITS = { deadlineMs: 5000, maxBytes: 65_536, accept: 'application/json' }
/** Anyone can have a document fetched: so few are under way at once, and fewer from one host, which may be slow on purpose. */
const [MAX_CONCURRENT, MAX_PER_HOST] = [8, 2]
const FAILURE_TTL_MS = 60_000
const MAX_REMEMBERED = 1000
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json[\t ]*(?:;|$)/i

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Fetches JSON documents that strangers name. Of several who ask for one at once the first has it fetched, and one that could not be had
 * is not tried again for a minute. Beyond what may be under way, none can be had.
 * @param getClient called for the first address
 * @param monotonicNow milliseconds of a clock that never goes back
 */
export function documentFetcher(
  getClient: () => Promise<Pick<OutboundClient, 'fetch'>>,
  monotonicNow: () => number = () => performance.now(),
): FetchDocument {
  const inFlight = new Map<string, Promise<FetchedDocument | undefined>>()
  const failed = new Map<string, number>()

  async function fetchAndParse(url: string): Promise<FetchedDocument | undefined> {
    const response = await (await getClient()).fetch(url, FETCH_LIMITS)
    const document = 'failure' in response ? undefined : parseDocument(response)
    if (!document) rememberFailure(url)
    return document
  }

  function rememberFailure(url: string): void {
    failed.delete(url)
    const [oldest] = failed.keys()
    if (failed.size >= MAX_REMEMBERED && oldest !== undefined) failed.delete(oldest)
    failed.set(url, monotonicNow())
  }

  function hasCapacity(host: string): boolean {
    const countAtHost = [...inFlight.keys()].filter((url) => new URL(url).host === host).length
    return inFlight.size < MAX_CONCURRENT && countAtHost < MAX_PER_HOST
  }

  return async (url) => {
    const failedAt = failed.get(url)
    if (failedAt !== undefined && monotonicNow() - failedAt < FAILURE_TTL_MS) return undefined
    const pending = inFlight.get(url)
    if (pending) return pending
    if (!hasCapacity(new URL(url).host)) return undefined
    const fetching = fetchAndParse(url).finally(() => inFlight.delete(url))
    inFlight.set(url, fetching)
    return fetching
  }
}

/** `undefined` for what does not say that it is JSON, or is no UTF-8. */
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
