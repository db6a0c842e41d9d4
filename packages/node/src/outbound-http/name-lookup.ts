import type { LookupAddress } from 'node:dns'
import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import type { AddressPolicy } from './address-policy.ts'
import { isLocalName } from './outbound-url.ts'

/** Resolves all addresses of a name. Rejects when there is none. `signal` cancels the lookup. */
export type HostLookup = (hostname: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>

/** A name server that does not reply in time is followed by the next one. Each query is retried once. */
const RESOLVER_OPTIONS = { timeout: 2000, maxTimeout: 2000, tries: 2 }
/**
 * Some name servers never reply to queries for a family they do not support: after the first family has
 * resolved, the other one has this long.
 */
const SECOND_FAMILY_TIMEOUT_MS = 250

/**
 * Creates a lookup that queries the name servers directly. The system lookup (`getaddrinfo`) occupies one of
 * the four threads of the thread pool until the name server replies, and password hashing and file access
 * share these threads. It is used only when local names are allowed: for local names, and for names that no
 * name server knows. When every address is allowed, which is for development, only the system lookup is used.
 * @param servers default: the name servers of this machine
 */
export function createLookup(
  { allowsAll, allowsLocalNames }: Pick<AddressPolicy, 'allowsAll' | 'allowsLocalNames'>,
  servers?: readonly string[],
): HostLookup {
  return async (hostname, signal) => {
    if (allowsAll || (allowsLocalNames && isLocalName(hostname))) return systemLookup(hostname, { all: true })
    const resolved = await resolveAddresses(hostname, signal, servers)
    if (resolved.length > 0) return resolved
    if (allowsLocalNames && !signal.aborted) return systemLookup(hostname, { all: true })
    throw new Error('No name server knows an address.')
  }
}

/** Tolerates a family that is missing or not answered. IPv4 comes first: more machines have a route to it. */
async function resolveAddresses(
  hostname: string,
  signal: AbortSignal,
  servers: readonly string[] | undefined,
): Promise<LookupAddress[]> {
  const resolver = new Resolver(RESOLVER_OPTIONS)
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const queries = [resolver.resolve4(hostname), resolver.resolve6(hostname)] as const
    const results = Promise.allSettled(queries)
    await Promise.any(queries).catch(() => undefined)
    const timer = setTimeout(cancel, SECOND_FAMILY_TIMEOUT_MS)
    const [v4, v6] = await results
    clearTimeout(timer)
    return [...toLookupAddresses(v4, 4), ...toLookupAddresses(v6, 6)]
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function toLookupAddresses(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []
}
