import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import type { AddressPolicy } from './addresses.ts'

/** All addresses of a name. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>

export interface Network {
  readonly policy: AddressPolicy
  /** Left out, the names this machine knows. */
  readonly lookup?: Lookup | undefined
  /** PEM: what is trusted in place of the usual authorities. */
  readonly ca?: string | undefined
}

/** No connection was made, since it would have led to an address that is not allowed. It names no address: callers are strangers. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
  constructor() {
    super('The address is not allowed.')
  }
}

/** As in Node.js, but for slow links: an address that has not answered by then makes way for the next. */
const NEXT_ADDRESS_AFTER_MS = 1000
/** The end of a request does not end the connecting it began, which others may be waiting for. */
const CONNECT_WITHIN_MS = 10_000

/** Connects over HTTPS, and to allowed addresses only. Connections are kept alive, each to the address that was checked for it. */
export function guardedAgent(network: Network, end: AbortSignal): Agent {
  return new Agent({ connect: guardedConnector(network, end, CONNECT_WITHIN_MS), allowH2: false })
}

/**
 * @param end destroys every connection that was made here, those still connecting included
 * @param timeout milliseconds to connect in, 0 for ever
 */
export function guardedConnector(
  { policy, lookup = allAddresses, ca }: Network,
  end: AbortSignal,
  timeout: number,
): buildConnector.connector {
  const connect = buildConnector({
    lookup: checked(lookup, policy),
    ca,
    signal: end,
    timeout,
    rejectUnauthorized: true,
    allowH2: false,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  })
  return (options, callback) => {
    // A socket that is born with an aborted signal connects all the same, and brings Node.js down once bytes arrive.
    if (end.aborted) return callback(end.reason, null)
    // No name is looked up for a literal address, so that it is judged here or never.
    const isRefused = options.protocol !== 'https:' || (isIP(options.hostname) !== 0 && !policy.allows(options.hostname))
    return isRefused ? callback(new RefusedAddress(), null) : connect(options, callback)
  }
}

/**
 * The socket dials what this answers and asks no second time, so that a name cannot point elsewhere in between. One forbidden
 * address condemns the name. `autoSelectFamily` makes the socket ask for all addresses, hence the list.
 */
function checked(lookup: Lookup, policy: AddressPolicy): LookupFunction {
  return (hostname, _options, callback) => {
    lookup(hostname).then(
      (found) => {
        const isAllowed = found.length > 0 && found.every(({ address }) => policy.allows(address))
        callback(isAllowed ? null : new RefusedAddress(), [...found])
      },
      (error) => callback(error, []),
    )
  }
}

function allAddresses(hostname: string): Promise<LookupAddress[]> {
  return systemLookup(hostname, { all: true })
}
