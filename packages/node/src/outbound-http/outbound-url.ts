import { isIP } from 'node:net'
import type { AddressPolicy } from './address-policy.ts'

const MAX_HOST_LENGTH = 253
/** One label, or a top label that is never delegated in the public DNS. Dots at the end change nothing. */
const LOCAL_NAME = /^[^.]*\.*$|(?:^|\.)(?:localhost|local|internal|arpa)\.*$/
/** An empty label, or one that is too long. Dots at the end change nothing here either. */
const MALFORMED_NAME = /^\.|\.\.+[^.]|[^.]{64}/

/**
 * The address of a request that leaves this service, or the rule it breaks as a sentence for the caller. A name is judged by its
 * form alone: what it resolves to is judged when a connection is made.
 */
export function parseOutboundUrl(
  text: string,
  policy: AddressPolicy,
): { readonly url: URL } | { readonly fault: string } {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:') return { fault: 'Must be an https URL.' }
  if (url.username !== '' || url.password !== '')
    return { fault: 'Must not contain a user name or password.' }
  // An empty fragment is seen only here.
  if (url.href.includes('#')) return { fault: 'Must not contain a fragment.' }
  if (url.hostname.length > MAX_HOST_LENGTH)
    return { fault: `Must have a host name of at most ${MAX_HOST_LENGTH} characters.` }
  if (MALFORMED_NAME.test(url.hostname)) return { fault: 'Must have a valid host name.' }
  return isAllowedHost(url.hostname, policy) ? { url } : { fault: 'Must be a public address.' }
}

function isAllowedHost(hostname: string, { allowsLocalNames, allows }: AddressPolicy): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? allowsLocalNames || !isLocalName(host) : allows(host)
}

export function isLocalName(host: string): boolean {
  return LOCAL_NAME.test(host)
}
