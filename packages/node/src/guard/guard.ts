import type { Dispatcher } from 'undici'
import { type AddressRules, addressPolicy } from './addresses.ts'
import { type Fetched, type FetchLimits, fetchPublic } from './fetch-public.ts'
import { guardedAgent, type Network } from './guarded-agent.ts'
import { outboundUrl } from './outbound-url.ts'

export interface GuardOptions extends AddressRules, Omit<Network, 'policy'> {}

/** The one door for requests to addresses that callers choose. */
export interface Guard {
  /** For undici's `request`, which follows no redirect. It refuses with `RefusedAddress`. Deadlines and bounds are the caller's. */
  readonly agent: Dispatcher
  /** The rule an address breaks, as a sentence for a 422; `undefined` when it may be kept. Nothing is looked up. */
  urlFault(url: string): string | undefined
  fetch(url: string, limits: FetchLimits): Promise<Fetched>
  /** Ends what is under way; nothing is sent after it. Safe to call twice. */
  close(): Promise<void>
}

/** @throws Error naming the range of `allowCidrs` that cannot be read */
export function makeGuard({ lookup, ca, ...rules }: GuardOptions): Guard {
  const policy = addressPolicy(rules)
  const network = { policy, lookup, ca }
  const closing = new AbortController()
  const agent = guardedAgent(network, closing.signal)
  return {
    agent,
    urlFault(url) {
      const target = outboundUrl(url, policy)
      return 'fault' in target ? target.fault : undefined
    },
    fetch: (url, limits) => fetchPublic(url, limits, network, closing.signal),
    async close() {
      closing.abort()
      await agent.destroy()
    },
  }
}
