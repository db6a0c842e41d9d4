import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressPolicy } from './address-policy.ts'
import { createLookup, type HostLookup } from './name-lookup.ts'
import { limitReadSize } from './response-reader.ts'

export interface NetworkOptions {
  readonly policy: AddressPolicy
  /** Default: the name servers of this machine. */
  readonly lookup?: HostLookup | undefined
  /** PEM certificates that replace the default certificate authorities. */
  readonly ca?: string | undefined
}

/** The address is not allowed, so no connection was made. The message does not contain the address. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed'
  constructor() {
    super('The address is not allowed.')
  }
}

/** The name has no address, so no connection was made. */
export class NameNotFound extends Error {
  override readonly name = 'NameNotFound'
  constructor(cause: unknown) {
    super('The name has no address.', { cause })
  }
}

/** Time until the next address is tried. Longer than Node.js's default, for slow links. */
const ATTEMPT_TIMEOUT_MS = 1000

/**
 * Creates a connector for HTTPS that connects only to allowed addresses. It has no timeout.
 * @param signal destroys every connection of this connector, including those still connecting
 */
export function restrictedConnector(
  { policy, lookup = createLookup(policy), ca }: NetworkOptions,
  signal: AbortSignal,
): buildConnector.connector {
  const connect = buildConnector({
    lookup: restrictLookup((hostname) => lookup(hostname, signal), policy),
    ca,
    signal,
    timeout: 0,
    rejectUnauthorized: true,
    allowH2: false,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
  })
  return (options, callback) => {
    // A socket created with an aborted signal connects anyway, and crashes Node.js when bytes arrive.
    if (signal.aborted) return callback(signal.reason, null)
    // A literal address is not looked up, so `restrictLookup` does not check it.
    const isDisallowed =
      options.protocol !== 'https:' || (isIP(options.hostname) !== 0 && !policy.allows(options.hostname))
    if (isDisallowed) return callback(new AddressNotAllowed(), null)
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null)
      limitReadSize(socket)
      callback(null, socket)
    })
  }
}

/**
 * Wraps a lookup with the address check. The socket connects to the returned addresses without a second
 * lookup, which prevents DNS rebinding. One forbidden address rejects the name. The result is a list, because
 * `autoSelectFamily` makes the socket request all addresses.
 */
function restrictLookup(
  lookup: (hostname: string) => ReturnType<HostLookup>,
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
