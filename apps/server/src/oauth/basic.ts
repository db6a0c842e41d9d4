import { type BasicCredentials, CrmError } from '@sales-crm/core'
import { formDecoded } from '../form.ts'

const SCHEME = /^basic(?: |$)/i
const MALFORMED = 'The Authorization header must be Basic with client_id and client_secret, each form-urlencoded.'

/** The challenge for a client that tried to authenticate so. */
export const BASIC_CHALLENGE = 'Basic realm="Sales CRM", charset="UTF-8"'

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function isBasic(authorization: string | undefined): boolean {
  return SCHEME.test(authorization ?? '')
}

/** What a client sends by HTTP Basic: both halves form-urlencoded, unlike a browser's. @throws CrmError `invalid_client` */
export function basicCredentials(authorization: string | undefined): BasicCredentials | undefined {
  if (authorization === undefined || !isBasic(authorization)) return undefined
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(decoded(authorization.slice('basic'.length).trim())) ?? []
  const [client_id, client_secret] = [formDecoded(id ?? ''), formDecoded(secret ?? '')]
  if (!client_id || client_secret === undefined) throw new CrmError('invalid_client', MALFORMED)
  return { client_id, client_secret }
}

/** Empty for what is no Base64 of UTF-8. */
function decoded(base64: string): string {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return ''
  try {
    return utf8.decode(Buffer.from(base64, 'base64'))
  } catch {
    return ''
  }
}
