import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressPolicy } from './addresses.ts'
import { type Lookup, nameLookup } from './name-lookup.ts'
import { readLittleAtOnce } from './small-reads.ts'

export interface Network {
  readonly policy: AddressPolicy
  /** Left out, what the name servers say. */
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

/** No connection was made, since no address was found for the name. */
export class UnknownName extends Error {
  override readonly name = 'UnknownName'
  constructor(cause: unknown) {
    super('The name has no address.', { cause })
  }
}

/** As in Node.js, but for slow links: an address that has not answered by then makes way for the next. */
const NEXT_ADDRESS_AFTER_MS = 1000

/**
 * Connects over HTTPS, and to allowed addresses only. It has no timeout of its own.
 * @param end destroys every connection that was made here, those still connecting included
 */
export function guardedConnector({ policy, lookup = nameLookup(policy), ca }: Network, end: AbortSignal): buildConnector.connector {
  const connect = buildConnector({
    lookup: checked((hostname) => lookup(hostname, end), policy),
    ca,
    signal: end,
    timeout: 0,
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
    if (isRefused) return callback(new RefusedAddress(), null)
    connect(options, (...[failure, socket]) => {
      if (failure) return callback(failure, null)
      readLittleAtOnce(socket)
      callback(null, socket)
    })
  }
}

/**
 * The socket dials what this answers and asks no second time, so that a name cannot point elsewhere in between. One forbidden
 * address condemns the name. `autoSelectFamily` makes the socket ask for all addresses, hence the list.
 */
function checked(lookup: (hostname: string) => ReturnType<Lookup>, policy: AddressPolicy): LookupFunction {
  return (hostname, _options, callback) => {
    lookup(hostname).then(
      (found) => {
        const isAllowed = found.length > 0 && found.every(({ address }) => policy.allows(address))
        callback(isAllowed ? null : new RefusedAddress(), [...found])
      },
      (error) => callback(new UnknownName(error), []),
    )
  }
}
