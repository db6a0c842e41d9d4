import type { SessionToken } from '@sales-crm/core'
import type { Ports } from '@sales-crm/core/ports'
import { parse, serialize } from 'hono/utils/cookie'

/**
 * The only cookie of the pages: the token of a session, or, without a session, a random value to which the
 * CSRF tokens of forms are bound.
 */
export interface Cookies {
  /** Returns the value that the browser sent; `undefined` if it is missing or malformed. */
  read(header: string | undefined): string | undefined
  newValue(): string
  /** Expires when the browser is closed. */
  anonymousCookie(value: string): string
  /** Expires with the session. */
  sessionCookie(session: SessionToken): string
  readonly clearedCookie: string
}

const VALUE = /^\w{32,200}$/

/**
 * With https, the prefix `__Host-` makes browsers reject the cookie if it is set by other hosts or without
 * `Secure`.
 */
export function createCookies({ issuer, now, random }: Pick<Ports, 'issuer' | 'now' | 'random'>): Cookies {
  const secure = issuer.startsWith('https:')
  const name = secure ? '__Host-crm_session' : 'crm_session'

  function serializeCookie(value: string, options: { readonly maxAge?: number } = {}): string {
    return serialize<string>(name, value, { path: '/', httpOnly: true, sameSite: 'Lax', secure, ...options })
  }

  return {
    read(header) {
      const value = header === undefined ? undefined : parse(header, name)[name]
      return value !== undefined && VALUE.test(value) ? value : undefined
    },
    newValue: () => Buffer.from(random(32)).toString('hex'),
    anonymousCookie: (value) => serializeCookie(value),
    sessionCookie({ token, expires_at }) {
      const seconds = Math.floor((Date.parse(expires_at) - Date.parse(now())) / 1000)
      return serializeCookie(token, { maxAge: Math.max(0, seconds) })
    },
    clearedCookie: serializeCookie('', { maxAge: 0 }),
  }
}
