import type { Secrets } from '@sales-crm/core/ports'

/** Returns the token that binds a form to the browser's cookie and, if given, to an authorization. */
export function csrfToken(
  secrets: Pick<Secrets, 'hash'>,
  cookie: string,
  authorizationId: string | undefined,
): string {
  return secrets.hash(csrfMessage(cookie, authorizationId))
}

export function isValidCsrfToken(
  secrets: Pick<Secrets, 'matches'>,
  token: unknown,
  cookie: string | undefined,
  authorizationId: string | undefined,
): boolean {
  if (typeof token !== 'string' || !/^[\da-f]{64}$/.test(token)) return false
  return cookie !== undefined && secrets.matches(csrfMessage(cookie, authorizationId), token)
}

function csrfMessage(cookie: string, authorizationId = ''): string {
  return `csrf ${cookie} ${authorizationId}`
}

/**
 * Detects forms that a browser sends from another site. Browsers send the origin `null` for our own forms,
 * because the pages have the referrer policy `no-referrer`. Clients other than browsers send neither header.
 */
export function isCrossSite(header: (name: string) => string | undefined, ownOrigin: string): boolean {
  const site = header('Sec-Fetch-Site')
  const origin = header('Origin')
  return (
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && origin !== 'null' && origin !== ownOrigin)
  )
}
