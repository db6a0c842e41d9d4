import { type Service, sendRequest, type TestResponse, type Workspace } from './test-service.ts'

export const REDIRECT_URI = 'https://app.example/cb'

export type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

interface Client {
  readonly client_id: string
  readonly client_secret: string
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

export function encodeForm(fields: Fields): string {
  return new URLSearchParams(
    isList(fields) ? fields.map(([name, value]): [string, string] => [name, value]) : { ...fields },
  ).toString()
}

function isList(fields: Fields): fields is readonly (readonly [string, string])[] {
  return Array.isArray(fields)
}

/** Posts a form the way a browser or a client does. */
export function postForm(
  app: Service['app'],
  path: string,
  fields: Fields,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  return sendRequest(app, 'POST', path, encodeForm(fields), {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  })
}

export function basicHeader({ client_id, client_secret }: Client): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')}`
}

/** Returns the parameters of a valid authorization request. */
export function authorizationParameters(
  acme: Pick<Workspace, 'client_id'>,
  more: Readonly<Record<string, string>> = {},
) {
  return { client_id: acme.client_id, redirect_uri: REDIRECT_URI, response_type: 'code', ...more }
}

export function authorize(
  app: Service['app'],
  fields: Fields,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  return sendRequest(app, 'GET', `/oauth/authorize?${encodeForm(fields)}`, undefined, { headers })
}

/** Returns a code approved by the workspace's owner. The approval calls the core in place of the pages. */
export async function obtainCode(
  service: Service,
  acme: Workspace,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { headers } = await authorize(service.app, authorizationParameters(acme, more))
  const request = new URL(headers.get('Location') ?? '', 'http://127.0.0.1').searchParams.get('request') ?? ''
  const redirectUrl = await service.crm.oauth.approve({ session_id: '', user: acme.owner }, request, acme.id)
  return new URL(redirectUrl ?? '').searchParams.get('code') ?? ''
}

export function exchangeCode(
  { app }: Pick<Service, 'app'>,
  { client_id, client_secret }: Client,
  code: string,
  more: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  return postForm(app, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    client_id,
    client_secret,
    ...more,
  })
}

export function refreshTokens(
  { app }: Pick<Service, 'app'>,
  { client_id, client_secret }: Client,
  refresh_token: string,
  more: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  return postForm(app, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token,
    client_id,
    client_secret,
    ...more,
  })
}

export async function obtainTokens(
  service: Service,
  acme: Workspace,
  more: Readonly<Record<string, string>> = {},
): Promise<Tokens> {
  return tokensOf(await exchangeCode(service, acme, await obtainCode(service, acme, more)))
}

export function tokensOf({ status, text, json }: TestResponse): Tokens {
  if (status !== 200) throw new Error(`No tokens: ${status} ${text}`)
  return json as Tokens
}

/** Returns the status of a `/v1` request with an access token. */
export async function statusWithToken({ app }: Pick<Service, 'app'>, token: string): Promise<number> {
  return (await sendRequest(app, 'GET', '/v1/workspace', undefined, { token })).status
}

/** Creates a second app, with its own secret. */
export async function createOtherApp(
  { crm }: Pick<Service, 'crm'>,
  more: { readonly scopes?: readonly string[] } = {},
): Promise<Client> {
  const { scopes = crm.operator.scopes } = more
  return crm.operator.createApp({
    name: 'Other',
    email: 'dev@other.example',
    redirect_uris: [REDIRECT_URI],
    scopes: [...scopes],
  })
}

/** Counts responses by status and error code. */
export function countOutcomes(responses: readonly TestResponse[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, json } of responses) {
    const code = (json as { error?: { code: string } } | undefined)?.error?.code
    const name = [status, code].filter(Boolean).join(' ')
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
