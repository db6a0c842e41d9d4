import { encodeForm, type Fields, postForm } from './oauth-requests.ts'
import { type Service, sendRequest, type TestResponse, type Workspace } from './test-service.ts'

export const LOOPBACK_URI = 'http://127.0.0.1/callback'
/** The example of RFC 7636, appendix B. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const CHALLENGE = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

type Values = Readonly<Record<string, string>>

export interface PublicClientTokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
}

export function postRegistration(
  { app }: Pick<Service, 'app'>,
  body: unknown,
  headers: Values = {},
): Promise<TestResponse> {
  return sendRequest(app, 'POST', '/mcp/register', body, { headers })
}

/** Registers a public client and returns its id. */
export async function registerPublicClient(service: Service, more: object = {}): Promise<string> {
  const { status, text, json } = await postRegistration(service, {
    client_name: 'Radar',
    redirect_uris: [LOOPBACK_URI],
    ...more,
  })
  if (status !== 201) throw new Error(`Not registered: ${status} ${text}`)
  return (json as { client_id: string }).client_id
}

/** Returns the parameters of a valid authorization request. */
export function publicClientParameters(client_id: string, more: Values = {}): Values {
  return { client_id, redirect_uri: LOOPBACK_URI, response_type: 'code', ...CHALLENGE, ...more }
}

export function authorizePublicClient(
  { app }: Pick<Service, 'app'>,
  fields: Fields,
  headers: Values = {},
): Promise<TestResponse> {
  return sendRequest(app, 'GET', `/mcp/authorize?${encodeForm(fields)}`, undefined, { headers })
}

/** Returns a code approved by the workspace's owner. The approval calls the core in place of the pages. */
export async function obtainPublicClientCode(
  service: Service,
  acme: Workspace,
  client_id: string,
  more: Values = {},
): Promise<string> {
  const { status, text, headers } = await authorizePublicClient(
    service,
    publicClientParameters(client_id, more),
  )
  if (status !== 303) throw new Error(`Authorization failed: ${status} ${text}`)
  const request = new URL(headers.get('Location') ?? '', 'http://127.0.0.1').searchParams.get('request') ?? ''
  const redirectUrl = await service.crm.oauth.approve({ session_id: '', user: acme.owner }, request, acme.id)
  return new URL(redirectUrl ?? '').searchParams.get('code') ?? ''
}

export function exchangePublicClientCode(
  { app }: Pick<Service, 'app'>,
  client_id: string,
  code: string,
  more: Values = {},
  headers: Values = {},
) {
  const fields = { grant_type: 'authorization_code', code, client_id, code_verifier: VERIFIER, ...more }
  return postForm(app, '/mcp/token', fields, headers)
}

export function refreshPublicClientTokens(
  { app }: Pick<Service, 'app'>,
  client_id: string,
  refresh_token: string,
  more: Values = {},
): Promise<TestResponse> {
  return postForm(app, '/mcp/token', { grant_type: 'refresh_token', refresh_token, client_id, ...more })
}

export function revokePublicClientToken(
  { app }: Pick<Service, 'app'>,
  client_id: string,
  token: string,
  more: Values = {},
): Promise<TestResponse> {
  return postForm(app, '/mcp/revoke', { client_id, token, ...more })
}

export async function obtainPublicClientTokens(
  service: Service,
  acme: Workspace,
  client_id: string,
  more: Values = {},
): Promise<PublicClientTokens> {
  return publicClientTokensOf(
    await exchangePublicClientCode(
      service,
      client_id,
      await obtainPublicClientCode(service, acme, client_id, more),
    ),
  )
}

export function publicClientTokensOf({ status, text, json }: TestResponse): PublicClientTokens {
  if (status !== 200) throw new Error(`No tokens: ${status} ${text}`)
  return json as PublicClientTokens
}

/** Returns whether an access token is accepted at `/mcp`. */
export async function canUseTools({ crm, rateLimits }: Service, access_token: string): Promise<boolean> {
  const authenticate = crm.createAuthenticator(rateLimits.gate)
  return (
    (await authenticate(`Bearer ${access_token}`, { forApp: () => undefined, forAddress: undefined }, 'mcp'))
      .actor !== undefined
  )
}

/** Returns the status and code of an error in the shape of RFC 6749. @throws Error for any other shape */
export function oauthErrorOf({ status, headers, json }: TestResponse): string {
  const { error, error_description, ...rest } = json as Values
  const [cacheControl, type] = [headers.get('Cache-Control'), headers.get('Content-Type')]
  const hasValidShape =
    typeof error === 'string' && /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/.test(error_description ?? '')
  if (
    !hasValidShape ||
    Object.keys(rest).length > 0 ||
    cacheControl !== 'no-store' ||
    type !== 'application/json; charset=utf-8'
  ) {
    throw new Error(`Not an OAuth error: ${status} ${cacheControl} ${type} ${JSON.stringify(json)}`)
  }
  return `${status} ${error}`
}
