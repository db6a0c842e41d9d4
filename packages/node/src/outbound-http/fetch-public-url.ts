import { Client } from 'undici'
import { parseOutboundUrl } from './outbound-url.ts'
import { AddressNotAllowed, type NetworkOptions, restrictedConnector } from './restricted-connector.ts'

export interface FetchLimits {
  /** For everything from the look-up of the name to the last byte. */
  readonly deadlineMs: number
  /** A body of so many bytes is taken, one more is not. */
  readonly maxBytes: number
  /** What `Accept` says; left out, nothing. */
  readonly accept?: string
}

/**
 * `refused`, `failed` and `timeout` are for the log: told apart to a caller, they would tell what is inside the network.
 */
export type FetchFailure = 'refused' | 'too-large' | 'failed' | 'timeout'
export type FetchResult =
  | { readonly bytes: Uint8Array; readonly headers: ResponseHeaders }
  | { readonly failure: FetchFailure }
/** By lower-case name. One that came more than once is a list. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

const HEADERS = { 'user-agent': 'sales-crm', 'accept-encoding': 'identity' }

/**
 * The body of a 200 answer from a public https address. Redirects are not followed. Each call has a connection of its own, which
 * ends with it. Never rejects.
 * @param closing ends it early
 */
export async function fetchPublicUrl(
  url: string,
  limits: FetchLimits,
  network: NetworkOptions,
  closing: AbortSignal,
): Promise<FetchResult> {
  const target = parseOutboundUrl(url, network.policy)
  if ('fault' in target) return { failure: 'refused' }
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), limits.deadlineMs)
  const end = AbortSignal.any([deadline.signal, closing])
  // The deadline is the only clock: those of the client itself are off.
  const client = new Client(target.url.origin, {
    connect: restrictedConnector(network, end),
    pipelining: 0,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    return await readBody(client, target.url, limits)
  } catch (error) {
    if (error instanceof AddressNotAllowed) return { failure: 'refused' }
    return { failure: deadline.signal.aborted ? 'timeout' : 'failed' }
  } finally {
    clearTimeout(timer)
    await client.destroy()
  }
}

async function readBody(
  client: Client,
  { pathname, search }: URL,
  { maxBytes, accept }: FetchLimits,
): Promise<FetchResult> {
  const headers = accept === undefined ? HEADERS : { ...HEADERS, accept }
  const response = await client.request({ method: 'GET', path: pathname + search, headers })
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (response.statusCode !== 200 || encoding !== 'identity') return { failure: 'failed' }
  // Copied into one place as it comes, since a body in chunks of a byte would cost a hundred times its size to keep.
  const bytes = new Uint8Array(maxBytes)
  let length = 0
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    if (length + chunk.length > maxBytes) return { failure: 'too-large' }
    bytes.set(chunk, length)
    length += chunk.length
  }
  return { bytes: bytes.slice(0, length), headers: response.headers }
}
