import type { LookupAddress } from 'node:dns'
import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import type { AddressPolicy } from './addresses.ts'
import { isLocalName } from './outbound-url.ts'

/** All addresses of a name. It rejects when there is none. `end` means that nobody waits for them any more. */
export type Lookup = (hostname: string, end: AbortSignal) => Promise<readonly LookupAddress[]>

/** A name server that keeps silent makes way for the next, and one query for each family is asked again once. */
const PATIENCE = { timeout: 2000, maxTimeout: 2000, tries: 2 }
/** Some name servers never answer for the family they do not know: once there is an address, the other one gets this long. */
const OTHER_FAMILY_MS = 250

/**
 * Asks the name servers. The look-up of the system holds one of four threads for as long as a name server takes, and passwords and files
 * wait for the same threads: it is asked only where local names may be used, for those and for what no name server knows. Where every
 * address is open, which is for development, it is all that is asked.
 * @param servers left out, those of this machine
 */
export function nameLookup(
  { allowsAll, allowsLocalNames }: Pick<AddressPolicy, 'allowsAll' | 'allowsLocalNames'>,
  servers?: readonly string[],
): Lookup {
  return async (hostname, end) => {
    if (allowsAll || (allowsLocalNames && isLocalName(hostname))) return systemLookup(hostname, { all: true })
    const found = await asked(hostname, end, servers)
    if (found.length > 0) return found
    if (allowsLocalNames && !end.aborted) return systemLookup(hostname, { all: true })
    throw new Error('No name server knows an address.')
  }
}

/** One family may be missing, or its query unanswered. IPv4 comes first, since more machines have a way to it. */
async function asked(hostname: string, end: AbortSignal, servers: readonly string[] | undefined): Promise<LookupAddress[]> {
  const resolver = new Resolver(PATIENCE)
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  end.addEventListener('abort', cancel)
  try {
    const both = [resolver.resolve4(hostname), resolver.resolve6(hostname)] as const
    const answers = Promise.allSettled(both)
    await Promise.any(both).catch(() => undefined)
    const timer = setTimeout(cancel, OTHER_FAMILY_MS)
    const [v4, v6] = await answers
    clearTimeout(timer)
    return [...addresses(v4, 4), ...addresses(v6, 6)]
  } finally {
    end.removeEventListener('abort', cancel)
  }
}

function addresses(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}
