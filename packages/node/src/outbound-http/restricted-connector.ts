import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressPolicy } from './address-policy.ts'
import { createLookup, type Lookup } from './name-lookup.ts'
import { limitReadSize } from './response-reader.ts'

export interface NetworkOptions {
  readonly policy: AddressPolicy
  /** Left out, what the name servers say. */
  readonly lookup?: Lookup | undefined
  /** PEM: what is trusted in place of the usual authorities. */
  readonly ca?: string | undefined
}

/** No connection was made, since it would have led to an address that is not allowed. It names no address: callers are strangers. */
export class AddressNotAllowed extends Error {
  override readonly name = 'RefusedAddress'
  constructor() {
    super('The address is not allowed.')
  }
}

/** No connection was made, since no address was found for the name. */
export class NameNotFound extends Error {
  override readonly name = 'UnknownName'
  constructor(cause: unknown) {
    super('The name has no address.', { cause })
  }
}

/** As in Node.js, but for slow links: an address that has not answered by then makes way for the next. */
const ATTEMPT_TIMEOUT_MS = 1000

/**
 * Connects over HTTPS, and to allowed addresses only. It has no timeout of its own.
 * @param signal destroys every connection that was made here, those still connecting included
 */
export function restrictedConnector(
  { policy, lookup = createLookup(policy), ca }: NetworkOptions,
  signal: AbortSignal,
): buildConnector.connector {
  const connect = buildConnector({
    lookup: restrictLookup((hostname) => lookup(hostname, signal), policy),
    ca,
    signal: signal,
    timeout: 0,
    rejectUnauthorized: true,
    allowH2: false,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
  })
  return (options, callback) => {
    // A socket that is born with an aborted signal connects all the same, and brings Node.js down once bytes arrive.
    if (signal.aborted) return callback(signal.reason, null)
    // No name is looked up for a literal address, so that it is judged here or never.
    const isDisallowed =
      options.protocol !== 'https:' || (isIP(options.hostname) !== 0 && !policy.allows(options.hostname))
    if (isDisallowed) return callback(new AddressNotAllowed(), null)
    connect(options, (...[failure, socket]) => {
      if (failure) return callback(failure, null)
      limitReadSize(socket)
      callback(null, socket)
    })
  }
}

/**
 * The socket dials what this answers and asks no second time, so that a name cannot point elsewhere in between. One forbidden
 * address condemns the name. `autoSelectFamily` makes the socket ask for all addresses, hence the list.
 */
function restrictLookup(
  lookup: (hostname: string) => ReturnType<Lookup>,
  policy: AddressPolicy,
): LookupFunction {
  return (hostname, _options, callback) => {
    lookup(hostname).then(
      (addresses) => {
        const isAllowed = addresses.length > 0 && addresses.every(({ address }) => policy.allows(address))
        callback(isAllowed ? null : new AddressNotAllowed(), [...addresses])
      },
      (error) => callback(new NameNotFound(error), []),
    )
  }
}
