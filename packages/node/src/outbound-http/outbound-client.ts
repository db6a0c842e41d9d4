import { addressPolicy, type OutboundOptions } from './address-policy.ts'
import { type FetchLimits, type FetchResult, fetchPublicUrl } from './fetch-public-url.ts'
import { parseOutboundUrl } from './outbound-url.ts'
import type { NetworkOptions } from './restricted-connector.ts'

export interface OutboundClientOptions extends OutboundOptions, Omit<NetworkOptions, 'policy'> {}

/** HTTP client for URLs that callers choose. Connects to allowed addresses only. */
export interface OutboundClient {
  /** Returns the violated rule as a message for a 422, or `undefined`. Does not resolve the name. */
  validateUrl(url: string): string | undefined
  fetch(url: string, limits: FetchLimits): Promise<FetchResult>
  /** Aborts requests in progress. Later requests fail. Safe to call twice. */
  close(): void
}

/** @throws Error naming the entry of `allowCidrs` that is not a valid range */
export function createOutboundClient({
  lookup,
  ca,
  ...outboundOptions
}: OutboundClientOptions): OutboundClient {
  const policy = addressPolicy(outboundOptions)
  const network = { policy, lookup, ca }
  const closing = new AbortController()
  return {
    validateUrl(url) {
      const target = parseOutboundUrl(url, policy)
      return 'error' in target ? target.error : undefined
    },
    fetch: (url, limits) => fetchPublicUrl(url, limits, network, closing.signal),
    close: () => closing.abort(),
  }
}
