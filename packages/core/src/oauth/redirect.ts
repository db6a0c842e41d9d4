/** What the app hears back. `state` is percent-encoded already, and null when none was sent. */
export interface RedirectAnswer {
  readonly state: string | null
  readonly issuer: string
  readonly code?: string
  readonly error?: string
}

/** A redirect URI with an answer after whatever query it has, which stays as it is to the letter. */
export function redirectTo(uri: string, { code, error, state, issuer }: RedirectAnswer): string {
  const pairs = [pair('code', code), pair('error', error), state === null ? [] : [`state=${state}`], pair('iss', issuer)]
  return `${uri}${separatorAfter(uri)}${pairs.flat().join('&')}`
}

function pair(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
}

function separatorAfter(uri: string): string {
  if (!uri.includes('?')) return '?'
  return /[?&]$/.test(uri) ? '' : '&'
}
