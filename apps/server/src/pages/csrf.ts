import type { Secrets } from '@sales-crm/core/ports'

/** What proves that a form was filled in on a page of ours, in this browser, and for this request of an app if it is about one. */
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
 * Whether a browser says that a form was on another site. Our pages ask for no referrer, and so browsers send the origin `null`; a
 * program that is no browser sends neither header.
 */
export function isCrossSite(header: (name: string) => string | undefined, ownOrigin: string): boolean {
  const site = header('Sec-Fetch-Site')
  const origin = header('Origin')
  return (
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && origin !== 'null' && origin !== ownOrigin)
  )
}
