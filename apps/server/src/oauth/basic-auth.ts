import { type BasicCredentials, CrmError } from '@sales-crm/core'
import { decodeFormValue } from '../http/query-string.ts'

const BASIC_SCHEME = /^basic(?: |$)/i
const MALFORMED_BASIC_MESSAGE =
  'The Authorization header must be Basic with client_id and client_secret, each form-urlencoded.'

/** Challenge for a client that used HTTP Basic. */
export const BASIC_CHALLENGE = 'Basic realm="Sales CRM", charset="UTF-8"'

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function usesBasicAuth(authorization: string | undefined): boolean {
  return BASIC_SCHEME.test(authorization ?? '')
}

/**
 * Parses HTTP Basic credentials. Clients, unlike browsers, form-urlencode both halves.
 * @throws CrmError `invalid_client`
 */
export function parseBasicCredentials(authorization: string | undefined): BasicCredentials | undefined {
  if (authorization === undefined || !usesBasicAuth(authorization)) return undefined
  const [, id, secret] =
    /^([^:]*):(.*)$/s.exec(decodeBase64(authorization.slice('basic'.length).trim())) ?? []
  const [client_id, client_secret] = [decodeFormValue(id ?? ''), decodeFormValue(secret ?? '')]
  if (!client_id || client_secret === undefined) throw new CrmError('invalid_client', MALFORMED_BASIC_MESSAGE)
  return { client_id, client_secret }
}

/** Returns an empty string for invalid Base64 or UTF-8. */
function decodeBase64(base64: string): string {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return ''
  try {
    return utf8.decode(Buffer.from(base64, 'base64'))
  } catch {
    return ''
  }
}
