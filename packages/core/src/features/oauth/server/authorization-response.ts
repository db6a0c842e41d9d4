/** What the app hears back. `state` is percent-encoded already, and null when none was sent. */
export interface AuthorizationResponse {
  readonly state: string | null
  readonly issuer: string
  readonly code?: string
  readonly error?: string
}

/** A redirect URI with an answer after whatever query it has, which stays as it is to the letter. */
export function buildRedirectUrl(uri: string, { code, error, state, issuer }: AuthorizationResponse): string {
  const pairs = [
    queryPair('code', code),
    queryPair('error', error),
    state === null ? [] : [`state=${state}`],
    queryPair('iss', issuer),
  ]
  return `${uri}${querySeparator(uri)}${pairs.flat().join('&')}`
}

function queryPair(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
}

function querySeparator(uri: string): string {
  if (!uri.includes('?')) return '?'
  return /[?&]$/.test(uri) ? '' : '&'
}
