import type { LookupAddress } from 'node:dns'
import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import type { AddressPolicy } from './address-policy.ts'
import { isLocalName } from './outbound-url.ts'

/** All addresses of a name. It rejects when there is none. `end` means that nobody waits for them any more. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>

/** A name server that keeps silent makes way for the next, and one query for each family is asked again once. */
const RESOLVER_OPTIONS = { timeout: 2000, maxTimeout: 2000, tries: 2 }
/** Some name servers never answer for the family they do not know: once there is an address, the other one gets this long. */
const SECOND_FAMILY_TIMEOUT_MS = 250

/**
 * Asks the name servers. The look-up of the system holds one of four threads for as long as a name server takes, and passwords and files
 * wait for the same threads: it is asked only where local names may be used, for those and for what no name server knows. Where every
 * address is open, which is for development, it is all that is asked.
 * @param servers left out, those of this machine
 */
export function createLookup(
  { allowsAll, allowsLocalNames }: Pick<AddressPolicy, 'allowsAll' | 'allowsLocalNames'>,
  servers?: readonly string[],
): Lookup {
  return async (hostname, signal) => {
    if (allowsAll || (allowsLocalNames && isLocalName(hostname))) return systemLookup(hostname, { all: true })
    const resolved = await resolveAddresses(hostname, signal, servers)
    if (resolved.length > 0) return resolved
    if (allowsLocalNames && !signal.aborted) return systemLookup(hostname, { all: true })
    throw new Error('No name server knows an address.')
  }
}

/** One family may be missing, or its query unanswered. IPv4 comes first, since more machines have a way to it. */
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
