import { isIP } from 'node:net'

/**
 * The client's address for rate limits: IPv4 in full, IPv6 reduced to its /64, which one subscriber usually
 * has.
 * @param peer the address of the socket's other end
 * @param forwarded the `X-Forwarded-For` header, of which the last `trustProxy` entries are trusted
 */
export function clientAddress(
  peer: string | undefined,
  forwarded: string | undefined,
  trustProxy: number,
): string {
  const forwardedAddress =
    trustProxy > 0 && forwarded !== undefined ? parseForwardedFor(forwarded, trustProxy) : undefined
  return networkOf(forwardedAddress ?? peer ?? 'local')
}

/**
 * Each proxy appends the address it received the request from, so trusted entries are at the right. A shorter
 * list starts at a nearer proxy.
 */
function parseForwardedFor(forwarded: string, trustProxy: number): string | undefined {
  const entries = forwarded.split(',')
  const entry = (entries.at(-trustProxy) ?? entries[0] ?? '').trim()
  const address = /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry
  return isIP(address) === 0 ? undefined : address
}

function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = expandIpv6(address.split('%')[0]!)
  const isIpv4Mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isIpv4Mapped) return [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight 16-bit groups of an IPv6 address. */
function expandIpv6(address: string): number[] {
  const plain = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a, b, c, d) => `${toHexGroup(a, b)}:${toHexGroup(c, d)}`,
  )
  const [left = '', right] = plain.split('::')
  const before = parseGroups(left)
  const after = parseGroups(right ?? '')
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function toHexGroup(high: string, low: string): string {
  return (Number(high) * 256 + Number(low)).toString(16)
}

function parseGroups(groups: string): number[] {
  return groups === '' ? [] : groups.split(':').map((group) => Number.parseInt(group, 16))
}
