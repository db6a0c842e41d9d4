import { addressPolicy, type OutboundOptions } from './address-policy.ts'
import { type FetchLimits, type FetchResult, fetchPublicUrl } from './fetch-public-url.ts'
import { parseOutboundUrl } from './outbound-url.ts'
import type { NetworkOptions } from './restricted-connector.ts'

export interface OutboundClientOptions extends OutboundOptions, Omit<NetworkOptions, 'policy'> {}

/** The one door for requests to addresses that callers choose. */
export interface OutboundClient {
  /** The rule an address breaks, as a sentence for a 422; `undefined` when it may be kept. Nothing is looked up. */
  validateUrl(url: string): string | undefined
  fetch(url: string, limits: FetchLimits): Promise<FetchResult>
  /** Ends what is under way; nothing is sent after it. Safe to call twice. */
  close(): void
}

/** @throws Error naming the range of `allowCidrs` that cannot be read */
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
      return 'fault' in target ? target.fault : undefined
    },
    fetch: (url, limits) => fetchPublicUrl(url, limits, network, closing.signal),
    close: () => closing.abort(),
  }
}
