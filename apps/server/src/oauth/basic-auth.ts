import { type BasicCredentials, CrmError } from '@sales-crm/core'
import { decodeFormValue } from '../http/urlencoded-form.ts'

const BASIC_SCHEME = /^basic(?: |$)/i
const MALFORMED_BASIC =
  'The Authorization header must be Basic with client_id and client_secret, each form-urlencoded.'

/** The challenge for a client that tried to authenticate so. */
export const BASIC_CHALLENGE = 'Basic realm="Sales CRM", charset="UTF-8"'

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function usesBasicAuth(authorization: string | undefined): boolean {
  return BASIC_SCHEME.test(authorization ?? '')
}

/** What a client sends by HTTP Basic: both halves form-urlencoded, unlike a browser's. @throws CrmError `invalid_client` */
export function parseBasicCredentials(authorization: string | undefined): BasicCredentials | undefined {
  if (authorization === undefined || !usesBasicAuth(authorization)) return undefined
  const [, id, secret] =
    /^([^:]*):(.*)$/s.exec(decodeBase64(authorization.slice('basic'.length).trim())) ?? []
  const [client_id, client_secret] = [decodeFormValue(id ?? ''), decodeFormValue(secret ?? '')]
  if (!client_id || client_secret === undefined) throw new CrmError('invalid_client', MALFORMED_BASIC)
  return { client_id, client_secret }
}

/** Empty for what is no Base64 of UTF-8. */
function decodeBase64(base64: string): string {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return ''
  try {
    return utf8.decode(Buffer.from(base64, 'base64'))
  } catch {
    return ''
  }
}
