import * as v from 'valibot'
import { isHttpUrl } from '../../../kernel/http-url.ts'
import { singleLineText } from '../../../kernel/text-schemas.ts'

const CHARACTERS = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/
/** https anywhere, or http on the loopback; no fragment, no credentials. */
const REDIRECT_URI =
  /^(?:https:\/\/(?:([A-Za-z0-9.-]+)|\[[0-9A-Fa-f:]+\])|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?:[/?][^#]*)?$/
/**
 * A host that ends in a number is parsed as an IPv4 address by browsers, and rejected if it is not a valid
 * one.
 */
const ENDS_IN_NUMBER = /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/i
const BYTE = '(?:\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])'
const IPV4 = new RegExp(`^${BYTE}(?:\\.${BYTE}){3}$`)

/** A redirect URI, stored and compared exactly. Limited to URIs that all URL parsers read alike. */
export const redirectUri = v.pipe(
  singleLineText(1, 2048),
  v.check((value) => CHARACTERS.test(value), 'Must hold only ASCII characters that a URL may have.'),
  v.check(
    isRedirectUri,
    'Must be an https URL, or http on localhost, 127.0.0.1 or [::1], without a fragment, user name or password.',
  ),
)

function isRedirectUri(value: string): boolean {
  const parts = REDIRECT_URI.exec(value)
  if (!parts || !isHttpUrl(value)) return false
  const name = parts[1] ?? ''
  return !ENDS_IN_NUMBER.test(name) || IPV4.test(name)
}
