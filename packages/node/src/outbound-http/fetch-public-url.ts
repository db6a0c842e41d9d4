import { Client } from 'undici'
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
 * The distinction between `refused`, `failed` and `timeout` is for the log only: shown to a caller, it would
 * reveal which hosts of the internal network exist.
 */
export type FetchFailure = 'refused' | 'too-large' | 'failed' | 'timeout'
export type FetchResult =
  | { readonly bytes: Uint8Array; readonly headers: ResponseHeaders }
  | { readonly failure: FetchFailure }
/** Keyed by lower-case name. A repeated header is a list. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

const HEADERS = { 'user-agent': 'sales-crm', 'accept-encoding': 'identity' }

/**
 * Fetches the body of a 200 response from an allowed https URL. Redirects are not followed. Each call uses
 * its own connection. Never rejects.
 * @param closing aborts the request
 */
export async function fetchPublicUrl(
  url: string,
  limits: FetchLimits,
  network: NetworkOptions,
  closing: AbortSignal,
): Promise<FetchResult> {
  const target = parseOutboundUrl(url, network.policy)
  if ('error' in target) return { failure: 'refused' }
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), limits.deadlineMs)
  const signal = AbortSignal.any([deadline.signal, closing])
  // The deadline is the only timeout: the client's own timeouts are disabled.
  const client = new Client(target.url.origin, {
    connect: restrictedConnector(network, signal),
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
  // Copied into one buffer: keeping chunks of one byte each would use a hundred times the memory of the body.
  const bytes = new Uint8Array(maxBytes)
  let length = 0
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    if (length + chunk.length > maxBytes) return { failure: 'too-large' }
    bytes.set(chunk, length)
    length += chunk.length
  }
  return { bytes: bytes.slice(0, length), headers: response.headers }
}
