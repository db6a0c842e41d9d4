import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** Left out, public addresses alone are open. */
export interface OutboundOptions {
  /** Opens every address: for development only. */
  readonly allowPrivate?: boolean | undefined
  /** Ranges that are open though they are not public, such as `10.1.0.0/16`. */
  readonly allowCidrs?: readonly string[] | undefined
}

export interface AddressPolicy {
  /** Whether every address is open. */
  readonly allowsAll: boolean
  /** Whether names that only a private network knows may lead to an address that is allowed. */
  readonly allowsLocalNames: boolean
  /** Only canonical text is an address: `127.1` is none, and is not allowed. */
  allows(ip: string): boolean
}

/**
 * The only IPv6 addresses that are assigned to hosts of the internet. This leaves out whatever `range` has no name for, such as
 * IPv4-compatible addresses; those within it that carry or translate to an IPv4 address (6to4, Teredo) do have names.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
const CIDR = /^([\da-f.:]+)\/\d{1,3}$/i

/** @throws Error naming the range that cannot be read */
export function addressPolicy({ allowPrivate = false, allowCidrs = [] }: OutboundOptions): AddressPolicy {
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
  }
}

/** @throws Error naming the text, when it is no range such as `10.0.0.0/8` or `fd00::/8` */
export function parseCidr(text: string): Range {
  try {
    if (isIP(CIDR.exec(text)?.[1] ?? '') !== 0) return ipaddr.parseCIDR(text)
  } catch {
    // Said below: the prefix is longer than the address.
  }
  throw new Error(
    `"${text}" is no address range. Write it as an address and a prefix length, such as 10.0.0.0/8 or fd00::/8.`,
  )
}

/**
 * The library also reads octal, hexadecimal and short forms, which sockets read in other ways; and a zone means one link of this
 * machine.
 */
function parseAddress(ip: string): Address | undefined {
  return isIP(ip) === 0 || ip.includes('%') ? undefined : ipaddr.parse(ip)
}

/** An address of a host on the internet, and no other form of one that is not: mapped, translated and tunnelled addresses are refused. */
function isPublic(address: Address): boolean {
  return address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST))
}
