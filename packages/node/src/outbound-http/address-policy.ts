import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** Default: only public addresses are allowed. */
export interface OutboundOptions {
  /** Allows every address. For development only. */
  readonly allowPrivate?: boolean | undefined
  /** Non-public ranges that are allowed, such as `10.1.0.0/16`. */
  readonly allowCidrs?: readonly string[] | undefined
}

export interface AddressPolicy {
  readonly allowsAll: boolean
  /** Allows names of a private network, if they resolve to an allowed address. */
  readonly allowsLocalNames: boolean
  /** @param ip an address in canonical form; any other text, such as `127.1`, is not allowed */
  allows(ip: string): boolean
  /**
   * True if a caller may learn how a server at this address responds: at a public one, or at any where all
   * are allowed.
   */
  isDisclosable(ip: string): boolean
}

/**
 * The only IPv6 block with public host addresses. It excludes the addresses that `range()` does not name,
 * such as IPv4-compatible ones. `range()` does name the addresses inside it that embed an IPv4 address (6to4,
 * Teredo).
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
const CIDR = /^([\da-f.:]+)\/\d{1,3}$/i

/**
 * Returns the policy of the options, for the addresses that outbound requests may connect to.
 * @throws Error naming the entry of `allowCidrs` that is not a valid range
 * @throws TypeError naming a wrong option
 */
export function addressPolicy(options: OutboundOptions): AddressPolicy {
  assertOutboundOptions(options)
  const { allowPrivate = false, allowCidrs = [] } = options
  const allowed = allowCidrs.map(parseCidr)
  return {
    allowsAll: allowPrivate,
    allowsLocalNames: allowPrivate || allowCidrs.length > 0,
    allows(ip) {
      const address = parseAddress(ip)
      if (!address) return false
      return (
        allowPrivate || isPublic(address) || ipaddr.subnetMatch(address, { allowed }, 'other') === 'allowed'
      )
    },
    isDisclosable(ip) {
      const address = parseAddress(ip)
      return address !== undefined && (allowPrivate || isPublic(address))
    },
  }
}

function assertOutboundOptions(options: OutboundOptions): void {
  const { allowPrivate, allowCidrs, ...others } = Object(options)
  const [unknown] = Object.keys(others)
  if (typeof options !== 'object' || unknown !== undefined)
    throw new TypeError(`outbound has allowPrivate and allowCidrs, not ${unknown ?? typeof options}.`)
  if (allowPrivate !== undefined && typeof allowPrivate !== 'boolean')
    throw new TypeError('outbound.allowPrivate must be true or false.')
  if (allowCidrs !== undefined && !Array.isArray(allowCidrs))
    throw new TypeError('outbound.allowCidrs must be an array of ranges such as 10.1.0.0/16.')
}

/**
 * Parses an address range.
 * @throws Error quoting the text when it is not a range such as `10.0.0.0/8` or `fd00::/8`
 */
export function parseCidr(text: string): Range {
  try {
    if (isIP(CIDR.exec(text)?.[1] ?? '') !== 0) return ipaddr.parseCIDR(text)
  } catch {
    // The prefix is longer than the address: reported below.
  }
  throw new Error(
    `"${text}" is no address range. ` +
      'Write it as an address and a prefix length, such as 10.0.0.0/8 or fd00::/8.',
  )
}

/**
 * Accepts canonical addresses only. The library also parses octal, hexadecimal and short forms, which sockets
 * parse differently; and an address with a zone is local to one link of this machine.
 */
function parseAddress(ip: string): Address | undefined {
  return isIP(ip) === 0 || ip.includes('%') ? undefined : ipaddr.parse(ip)
}

/** Rejects addresses that embed another one: mapped, translated and tunnelled addresses. */
function isPublic(address: Address): boolean {
  return address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST))
}
