import { isIPv6 } from 'node:net'

export interface SmtpServer {
  readonly host: string
  readonly port: number | undefined
  /** Implicit TLS: TLS from the first byte. */
  readonly secure: boolean
  /** Send nothing when the server does not offer STARTTLS. */
  readonly requireTls: boolean
  readonly auth: { readonly user: string; readonly pass: string } | undefined
}

const HOST = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i
const REQUIRE_TLS_QUERY = /^(\?requireTLS=(true|false))?$/

/**
 * Parses `smtp://USER:PASSWORD@HOST:PORT`; `smtps:` is implicit TLS. With `smtp:`, STARTTLS is used when
 * offered, and required when a password would otherwise cross a network in clear text; `?requireTLS=true` or
 * `false` overrides this.
 *
 * @throws Error for any other form; the message does not quote the text, which may hold a password
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text)
  const secure = url?.protocol === 'smtps:'
  if (!url || !(secure || url.protocol === 'smtp:')) throw invalidUrlError()
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isValidHost = HOST.test(host) || isIPv6(host)
  const [user, pass] = [decodePart(url.username), decodePart(url.password)]
  const isHalfAuth = (user === '') !== (pass === '')
  const [, , requireTlsParam] = REQUIRE_TLS_QUERY.exec(url.search) ?? [undefined, undefined, 'unknown']
  const hasUnknownParts =
    requireTlsParam === 'unknown' || !['', '/'].includes(url.pathname) || url.hash !== ''
  if (!isValidHost || isHalfAuth || hasUnknownParts || url.port === '0') throw invalidUrlError()
  return {
    host,
    port: url.port === '' ? undefined : Number(url.port),
    secure,
    requireTls:
      requireTlsParam === undefined ? pass !== '' && !LOOPBACK.test(host) : requireTlsParam === 'true',
    auth: pass === '' ? undefined : { user, pass },
  }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw invalidUrlError()
  }
}

function invalidUrlError(): Error {
  return new Error('This is no address of a mail server.')
}
