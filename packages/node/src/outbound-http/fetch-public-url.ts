import { isIP } from 'node:net'
import { Client } from 'undici'
import { createLookup, type HostLookup } from './name-lookup.ts'
import { parseOutboundUrl } from './outbound-url.ts'
import { AddressNotAllowed, type NetworkOptions, restrictedConnector } from './restricted-connector.ts'

export interface FetchLimits {
  /** From the name lookup to the last byte of the body. */
  readonly deadlineMs: number
  /** Maximum size of the body, inclusive. */
  readonly maxBytes: number
  /** The `Accept` header. Default: none. */
  readonly accept?: string
}

/**
 * Without a `reason`, a caller must not see which of `refused`, `failed` and `timeout` it was: that would reveal
 * which hosts of the internal network exist.
 */
type FetchFailure = 'refused' | 'too-large' | 'failed' | 'timeout'

export interface FailedFetch {
  readonly failure: FetchFailure
  /** A sentence for the caller about the URL or the response; missing if the server's address is not disclosable. */
  readonly reason?: string
}

export type FetchResult = { readonly bytes: Uint8Array; readonly headers: ResponseHeaders } | FailedFetch
/** Keyed by lower-case name. A repeated header is a list. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>
/** Fetches the body of a URL. Never rejects. */
export type FetchUrl = (url: string, limits: FetchLimits) => Promise<FetchResult>

const NO_CONTENT = 'The server sent no content.'
const HEADERS = { 'user-agent': 'sales-crm', 'accept-encoding': 'identity' }

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Codes of errors after the server, or its side of the connection, has ended it. */
const CLOSED_CODES: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_SOCKET',
])

/**
 * Fetches the body of a 200 response from an allowed https URL. Redirects are not followed. Each call uses
 * its own connection. Never rejects.
 */
export async function fetchPublicUrl(
  url: string,
  limits: FetchLimits,
  network: NetworkOptions,
): Promise<FetchResult> {
  const target = parseOutboundUrl(url, network.policy)
  if ('error' in target) return { failure: 'refused', reason: target.error }
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), limits.deadlineMs)
  const { lookup, isDisclosable } = observeLookup(target.url.hostname, network)
  // The deadline is the only timeout: the client's own timeouts are disabled.
  const client = new Client(target.url.origin, {
    connect: restrictedConnector({ ...network, lookup }, deadline.signal),
    pipelining: 0,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    const result = await readBody(client, target.url, limits)
    return 'failure' in result && !isDisclosable() ? { failure: result.failure } : result
  } catch (error) {
    if (error instanceof AddressNotAllowed) return { failure: 'refused' }
    const isTimeout = deadline.signal.aborted
    const reason = isTimeout
      ? `The server did not answer within ${limits.deadlineMs / 1000} seconds.`
      : connectionError(error)
    return { failure: isTimeout ? 'timeout' : 'failed', ...(isDisclosable() && { reason }) }
  } finally {
    clearTimeout(timer)
    await client.destroy()
  }
}

/** Wraps the lookup. `isDisclosable` is true once the host has addresses, all of them disclosable. */
function observeLookup(
  hostname: string,
  { policy, lookup = createLookup(policy) }: NetworkOptions,
): { readonly lookup: HostLookup; isDisclosable(): boolean } {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1')
  let addresses = isIP(literal) === 0 ? [] : [literal]
  return {
    async lookup(name, signal) {
      const resolved = await lookup(name, signal)
      addresses = resolved.map(({ address }) => address)
      return resolved
    },
    isDisclosable: () => addresses.length > 0 && addresses.every((address) => policy.isDisclosable(address)),
  }
}

async function readBody(
  client: Client,
  { pathname, search }: URL,
  { maxBytes, accept }: FetchLimits,
): Promise<FetchResult> {
  const headers = accept === undefined ? HEADERS : { ...HEADERS, accept }
  const response = await client.request({ method: 'GET', path: pathname + search, headers })
  const reason = responseError(response.statusCode, response.headers['content-encoding'])
  if (reason !== undefined) return { failure: 'failed', reason }
  // Copied into one buffer: keeping chunks of one byte each would use a hundred times the memory of the body.
  const bytes = new Uint8Array(maxBytes)
  let length = 0
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    if (length + chunk.length > maxBytes) return { failure: 'too-large' }
    bytes.set(chunk, length)
    length += chunk.length
  }
  if (length === 0) return { failure: 'failed', reason: NO_CONTENT }
  return { bytes: bytes.slice(0, length), headers: response.headers }
}

function responseError(status: number, encoding: string | string[] = 'identity'): string | undefined {
  if (REDIRECTS.has(status)) return 'The address redirects; give the final address.'
  if (status === 204) return NO_CONTENT
  if (status !== 200) return `The server answered ${status}.`
  return encoding === 'identity' ? undefined : 'The server compressed its answer, which is not supported.'
}

function connectionError(error: unknown): string {
  return CLOSED_CODES.has(Object(error).code)
    ? 'The server closed the connection.'
    : 'The connection to the server failed.'
}
