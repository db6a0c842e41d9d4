import type { SessionToken } from '@sales-crm/core'
import type { Ports } from '@sales-crm/core/ports'
import { parse, serialize } from 'hono/utils/cookie'

/**
 * The one cookie of the pages: the token of a session, or, for as long as nobody is signed in, a random value by which the
 * browser's forms are known.
 */
export interface Cookies {
  /** The value a browser sent; `undefined` for none, and for text that was never a value of ours. */
  read(header: string | undefined): string | undefined
  newValue(): string
  /** Kept until the browser is closed. */
  anonymousCookie(value: string): string
  /** Kept for as long as the session lives. */
  sessionCookie(session: SessionToken): string
  readonly clearedCookie: string
}

const VALUE = /^\w{32,200}$/

/** Under https the name makes browsers refuse the cookie from any other host, or without Secure. */
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
