import { addressPolicy, type Outbound } from './addresses.ts'
import { type Fetched, type FetchLimits, fetchPublic } from './fetch-public.ts'
import type { Network } from './guarded-connector.ts'
import { outboundUrl } from './outbound-url.ts'

export interface GuardOptions extends Outbound, Omit<Network, 'policy'> {}

/** The one door for requests to addresses that callers choose. */
export interface Guard {
  /** The rule an address breaks, as a sentence for a 422; `undefined` when it may be kept. Nothing is looked up. */
  urlFault(url: string): string | undefined
  fetch(url: string, limits: FetchLimits): Promise<Fetched>
  /** Ends what is under way; nothing is sent after it. Safe to call twice. */
  close(): void
}

/** @throws Error naming the range of `allowCidrs` that cannot be read */
export function makeGuard({ lookup, ca, ...rules }: GuardOptions): Guard {
  const policy = addressPolicy(rules)
  const network = { policy, lookup, ca }
  const closing = new AbortController()
  return {
    urlFault(url) {
      const target = outboundUrl(url, policy)
      return 'fault' in target ? target.fault : undefined
    },
    fetch: (url, limits) => fetchPublic(url, limits, network, closing.signal),
    close: () => closing.abort(),
  }
}
