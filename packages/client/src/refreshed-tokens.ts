import { type AccessTokens, RefreshedTokens } from './access-tokens.ts'
import type { Tokens } from './api-types.ts'
import { checkToken } from './check.ts'
import type { ClientCredentials } from './client-options.ts'
import type { HttpClient } from './http-client.ts'
import type { Runtime } from './runtime.ts'

/** The access tokens of an app, which its refresh token renews. */
export function refreshedTokens(
  http: HttpClient,
  credentials: ClientCredentials,
  { now }: Runtime,
): AccessTokens {
  const { client_id, client_secret } = credentials
  async function refreshTokens(refresh_token: string): Promise<Tokens> {
    const body = await http.send({
      method: 'POST',
      path: '/oauth/token',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id, client_secret }),
      // A refresh that was executed although its response was lost is rejected the second time, and no worse.
      isRepeatable: true,
      secrets: [client_secret, refresh_token],
    })
    return parseTokens(body)
  }
  return new RefreshedTokens(credentials, refreshTokens, now)
}

function parseTokens(body: unknown): Tokens {
  const tokens = body as Tokens
  checkToken('access_token of the response to /oauth/token', tokens?.access_token)
  checkToken('refresh_token of the response to /oauth/token', tokens.refresh_token)
  return tokens
}
