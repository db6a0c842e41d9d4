const PARTS = /^https?:\/\/(?:\[([0-9a-f:]+)\]|([^\s/?#:@[\]]+))(?::(\d{0,5}))?(?:[/?#][^\s\\<>"]*)?$/i
/** Letters and digits of any script, underscores, and inner hyphens. */
const LABEL = /^(?!-)[\p{L}\p{M}\p{N}_-]+(?<!-)$/u

/**
 * True for an http or https URL without credentials. The host may be an international name or an IPv6 address
 * in brackets. After the host it may have characters that `encodeHttpUrl` encodes.
 */
export function isHttpUrl(text: string): boolean {
  const parts = PARTS.exec(text)
  if (!parts) return false
  const [, address, name = '', port = ''] = parts
  if (port !== '' && (Number(port) === 0 || Number(port) > 65_535)) return false
  return address === undefined ? isHostName(name) : isIpv6(address)
}

/** Percent-encodes the characters that browsers leave in a URL and RFC 3986 does not allow. */
export function encodeHttpUrl(url: string): string {
  return url.replaceAll(/[\^`{|}]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** A trailing dot is the root of the DNS. */
function isHostName(name: string): boolean {
  return name
    .replace(/\.$/, '')
    .split('.')
    .every((label) => LABEL.test(label))
}

/** Eight groups, or fewer with one `::`. */
function isIpv6(address: string): boolean {
  const sides = address.split('::').map((side) => (side === '' ? [] : side.split(':')))
  const groups = sides.flat()
  const complete = sides.length === 2 ? groups.length < 8 : sides.length === 1 && groups.length === 8
  return complete && groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
}
