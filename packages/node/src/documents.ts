import type { FetchDocument, FetchedDocument } from '@sales-crm/core/ports'
import type { FetchedHeaders } from './guard/fetch-public.ts'
import type { Guard } from './guard/guard.ts'

const LIMITS = { deadlineMs: 5000, maxBytes: 65_536, accept: 'application/json' }
/** Anyone can have a document fetched: so few are under way at once, and fewer from one host, which may be slow on purpose. */
const [AT_ONCE, AT_ONCE_OF_HOST] = [8, 2]
const FORGOTTEN_AFTER_MS = 60_000
const MOST_REMEMBERED = 1000
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json[\t ]*(?:;|$)/i

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Fetches JSON documents that strangers name. Of several who ask for one at once the first has it fetched, and one that could not be had
 * is not tried again for a minute. Beyond what may be under way, none can be had.
 * @param openGuard called for the first address
 * @param elapsed milliseconds of a clock that never goes back
 */
export function documentFetcher(
  openGuard: () => Promise<Pick<Guard, 'fetch'>>,
  elapsed: () => number = () => performance.now(),
): FetchDocument {
  const underWay = new Map<string, Promise<FetchedDocument | undefined>>()
  const failed = new Map<string, number>()

  async function fetched(url: string): Promise<FetchedDocument | undefined> {
    const answer = await (await openGuard()).fetch(url, LIMITS)
    const document = 'failure' in answer ? undefined : documentIn(answer)
    if (!document) remember(url)
    return document
  }

  function remember(url: string): void {
    failed.delete(url)
    const [oldest] = failed.keys()
    if (failed.size >= MOST_REMEMBERED && oldest !== undefined) failed.delete(oldest)
    failed.set(url, elapsed())
  }

  function hasRoom(host: string): boolean {
    const ofHost = [...underWay.keys()].filter((url) => new URL(url).host === host).length
    return underWay.size < AT_ONCE && ofHost < AT_ONCE_OF_HOST
  }

  return async (url) => {
    const failedAt = failed.get(url)
    if (failedAt !== undefined && elapsed() - failedAt < FORGOTTEN_AFTER_MS) return undefined
    const same = underWay.get(url)
    if (same) return same
    if (!hasRoom(new URL(url).host)) return undefined
    const fetching = fetched(url).finally(() => underWay.delete(url))
    underWay.set(url, fetching)
    return fetching
  }
}

/** `undefined` for what does not say that it is JSON, or is no UTF-8. */
function documentIn({ bytes, headers }: { readonly bytes: Uint8Array; readonly headers: FetchedHeaders }): FetchedDocument | undefined {
  const type = headers['content-type']
  if (typeof type !== 'string' || !JSON_TYPE.test(type)) return undefined
  try {
    return { text: utf8.decode(bytes), max_age: maxAgeIn(headers['cache-control']) }
  } catch {
    return undefined
  }
}

function maxAgeIn(header: FetchedHeaders[string]): number | undefined {
  const directives = [header ?? []].flat().join(',').toLowerCase()
  if (/(?:^|[,\s])no-(?:store|cache)(?=$|[,\s=])/.test(directives)) return 0
  const seconds = /(?:^|[,\s])max-age="?(\d{1,9})/.exec(directives)?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}
