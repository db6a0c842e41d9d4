import { isIP } from 'node:net'
import type { AddressPolicy } from './address-policy.ts'

const MAX_HOST_LENGTH = 253
/** A single label, or a top-level domain never delegated in the public DNS. Trailing dots are ignored. */
const LOCAL_NAME = /^[^.]*\.*$|(?:^|\.)(?:localhost|local|internal|arpa)\.*$/
/** A label of RFC 1123, of at most 63 characters, or one with underscores, which the DNS allows as well. */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/**
 * Parses the URL of an outbound request.
 * @returns the URL, or the violated rule as a message for the caller. Only the form of a host name is
 * checked: its addresses are checked when a connection is made.
 */
export function parseOutboundUrl(
  text: string,
  policy: AddressPolicy,
): { readonly url: URL } | { readonly error: string } {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:') return { error: 'Must be an https URL.' }
  if (url.username !== '' || url.password !== '')
    return { error: 'Must not contain a user name or password.' }
  // `hash` is empty for an empty fragment, so `href` is checked.
  if (url.href.includes('#')) return { error: 'Must not contain a fragment.' }
  if (url.hostname.length > MAX_HOST_LENGTH)
    return { error: `Must have a host name of at most ${MAX_HOST_LENGTH} characters.` }
  if (!isIpv6(url.hostname) && !isHostName(url.hostname)) return { error: 'Must have a valid host name.' }
  if (url.port === '0') return { error: 'Must have a port between 1 and 65535.' }
  return isAllowedHost(url.hostname, policy) ? { url } : { error: 'Must be a public address.' }
}

function isIpv6(hostname: string): boolean {
  return hostname.startsWith('[')
}

/** The URL parser has converted the name to lower case and IDNA. It accepts more than names, such as quotes. */
function isHostName(hostname: string): boolean {
  return hostname
    .replace(/\.+$/, '')
    .split('.')
    .every((label) => LABEL.test(label))
}

function isAllowedHost(hostname: string, { allowsLocalNames, allows }: AddressPolicy): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? allowsLocalNames || !isLocalName(host) : allows(host)
}

export function isLocalName(host: string): boolean {
  return LOCAL_NAME.test(host)
}
