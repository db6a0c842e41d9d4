/** The parameters of the redirect. `state` is already percent-encoded, and null if the request had none. */
export interface AuthorizationResponse {
  readonly state: string | null
  readonly issuer: string
  readonly code?: string
  readonly error?: string
}

/** Returns the redirect URI with the response parameters appended. An existing query is kept unchanged. */
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
