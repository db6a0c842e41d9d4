import { Client } from 'undici'
import { guardedConnector, type Network, RefusedAddress } from './guarded-connector.ts'
import { outboundUrl } from './outbound-url.ts'

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
export type Fetched = { readonly bytes: Uint8Array; readonly headers: FetchedHeaders } | { readonly failure: FetchFailure }
/** By lower-case name. One that came more than once is a list. */
export type FetchedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

const HEADERS = { 'user-agent': 'sales-crm', 'accept-encoding': 'identity' }

/**
 * The body of a 200 answer from a public https address. Redirects are not followed. Each call has a connection of its own, which
 * ends with it. Never rejects.
 * @param closing ends it early
 */
export async function fetchPublic(text: string, limits: FetchLimits, network: Network, closing: AbortSignal): Promise<Fetched> {
  const target = outboundUrl(text, network.policy)
  if ('fault' in target) return { failure: 'refused' }
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), limits.deadlineMs)
  const end = AbortSignal.any([deadline.signal, closing])
  // The deadline is the only clock: those of the client itself are off.
  const client = new Client(target.url.origin, {
    connect: guardedConnector(network, end),
    pipelining: 0,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    return await bodyOf(client, target.url, limits)
  } catch (error) {
    if (error instanceof RefusedAddress) return { failure: 'refused' }
    return { failure: deadline.signal.aborted ? 'timeout' : 'failed' }
  } finally {
    clearTimeout(timer)
    await client.destroy()
  }
}

async function bodyOf(client: Client, { pathname, search }: URL, { maxBytes, accept }: FetchLimits): Promise<Fetched> {
  const headers = accept === undefined ? HEADERS : { ...HEADERS, accept }
  const answer = await client.request({ method: 'GET', path: pathname + search, headers })
  const encoding = answer.headers['content-encoding'] ?? 'identity'
  if (answer.statusCode !== 200 || encoding !== 'identity') return { failure: 'failed' }
  // Copied into one place as it comes, since a body in chunks of a byte would cost a hundred times its size to keep.
  const bytes = new Uint8Array(maxBytes)
  let length = 0
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    if (length + chunk.length > maxBytes) return { failure: 'too-large' }
    bytes.set(chunk, length)
    length += chunk.length
  }
  return { bytes: bytes.slice(0, length), headers: answer.headers }
}
