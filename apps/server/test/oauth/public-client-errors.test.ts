import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { basicHeader, postForm } from '../support/oauth-requests.ts'
import {
  authorizePublicClient,
  exchangePublicClientCode,
  LOOPBACK_URI,
  oauthErrorOf,
  obtainPublicClientCode,
  postRegistration,
  publicClientParameters,
  registerPublicClient,
  revokePublicClientToken,
  VERIFIER,
} from '../support/public-client-requests.ts'
import { openService, openWorkspace, sendRequest, type TestResponse } from '../support/test-service.ts'

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'

async function openTestService(options: Parameters<typeof openService>[1] = {}) {
  const service = await openService(memoryStorage(), options)
  const acme = await openWorkspace(service)
  return { service, acme, client_id: await registerPublicClient(service) }
}

test('errors of the public-client issuer have the shape of RFC 6749 and no redirect', async () => {
  const { service, client_id } = await openTestService()
  const begin = (fields: Parameters<typeof authorizePublicClient>[1]) =>
    authorizePublicClient(service, fields)
  const list = Object.entries(publicClientParameters(client_id))
  const cases: readonly (readonly [Promise<TestResponse>, number, string, string])[] = [
    [begin({}), 400, 'invalid_request', 'A required parameter is missing. client_id: Required.'],
    [
      begin(publicClientParameters(UNKNOWN_ID)),
      400,
      'invalid_client',
      'The client does not exist, is not active, or its credentials are wrong.',
    ],
    [
      begin(publicClientParameters('x')),
      400,
      'invalid_client',
      'The client does not exist. client_id: Must be a UUID, or an https URL with a path',
    ],
    [
      begin(publicClientParameters(client_id, { redirect_uri: 'https://evil.example/' })),
      400,
      'invalid_request',
      'The redirect_uri is not registered',
    ],
    [
      begin(publicClientParameters(client_id, { response_type: 'token' })),
      400,
      'unsupported_response_type',
      'The response_type must be code.',
    ],
    [
      begin(publicClientParameters(client_id, { scope: 'openid address' })),
      400,
      'invalid_scope',
      'scope: Must be scopes of this service',
    ],
    [
      begin(publicClientParameters(client_id, { resource: 'http://127.0.0.1:3000/v1' })),
      400,
      'invalid_target',
      'resource: Must be http://127.0.0.1:3000/mcp.',
    ],
    [
      begin([...list, ['resource', 'a'], ['resource', 'b']]),
      400,
      'invalid_request',
      'resource: Must be sent only once.',
    ],
    [
      begin(list.filter(([name]) => !name.startsWith('code_'))),
      400,
      'invalid_request',
      'code_challenge: Required.',
    ],
    [begin([['"é\\', '%']]), 400, 'invalid_request', 'client_id: Required.'],
    [
      sendRequest(service.app, 'GET', '/mcp/authorize?%22%C3%A9=%ff'),
      400,
      'invalid_request',
      "'?: Must be percent-encoded UTF-8.",
    ],
    [
      exchangePublicClientCode(service, client_id, 'x', { client_secret: 'x' }),
      400,
      'invalid_client',
      'client_secret: Must not be sent.',
    ],
    [exchangePublicClientCode(service, client_id, 'x'), 400, 'invalid_grant', 'The code is invalid'],
    [
      exchangePublicClientCode(service, client_id, 'x', { grant_type: 'client_credentials' }),
      400,
      'unsupported_grant_type',
      'grant_type: Must be one of',
    ],
    [
      sendRequest(service.app, 'POST', '/mcp/token', {}),
      400,
      'invalid_request',
      'Request body must be application/x-www-form-urlencoded.',
    ],
    [sendRequest(service.app, 'POST', '/mcp/token'), 400, 'invalid_request', 'grant_type: Required.'],
    [postForm(service.app, '/mcp/revoke', { client_id }), 400, 'invalid_request', 'token: Required.'],
    [revokePublicClientToken(service, UNKNOWN_ID, 'x'), 400, 'invalid_client', 'The client does not exist'],
  ]
  for (const [response, status, code, text] of cases) {
    const { headers, json } = await response
    expect([oauthErrorOf(await response), json]).toEqual([
      `${status} ${code}`,
      { error: code, error_description: expect.stringContaining(text) },
    ])
    expect([headers.get('Location'), headers.get('WWW-Authenticate')]).toEqual([null, null])
  }
})

test('rejects HTTP Basic of a public client with a Basic challenge', async () => {
  const { service, acme, client_id } = await openTestService()
  const code = await obtainPublicClientCode(service, acme, client_id)
  for (const Authorization of [
    basicHeader({ client_id, client_secret: '' }),
    basicHeader(acme),
    'Basic',
    'basic x',
  ]) {
    for (const path of ['/mcp/token', '/mcp/revoke']) {
      const fields = {
        grant_type: 'authorization_code',
        code,
        client_id,
        code_verifier: VERIFIER,
        token: 'x',
      }
      const response = await postForm(service.app, path, fields, { Authorization })
      expect(oauthErrorOf(response)).toBe('401 invalid_client')
      expect(response.headers.get('WWW-Authenticate')).toBe('Basic realm="Sales CRM", charset="UTF-8"')
    }
  }
  expect(
    (await exchangePublicClientCode(service, client_id, code, {}, { Authorization: 'Bearer x' })).status,
  ).toBe(200)
})

test('rejects an invalid registration with the errors of RFC 7591', async () => {
  const { service } = await openTestService()
  const bodies: readonly (readonly [unknown, string])[] = [
    ['{', 'invalid_client_metadata'],
    ['[]', 'invalid_client_metadata'],
    ['null', 'invalid_client_metadata'],
    ['', 'invalid_client_metadata'],
    [new Uint8Array([0xff]), 'invalid_client_metadata'],
    [`${'['.repeat(70)}${']'.repeat(70)}`, 'invalid_client_metadata'],
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: [LOOPBACK_URI, 'http://evil.example/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['cursor://x/y'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [`https://a.co/${'x'.repeat(2048)}`] }, 'invalid_redirect_uri'],
    ['{"redirect_uris":["https://a.co/\\ud800"]}', 'invalid_redirect_uri'],
    [{ redirect_uris: [LOOPBACK_URI], scope: 7 }, 'invalid_client_metadata'],
    [{ redirect_uris: [LOOPBACK_URI], grant_types: ['implicit'] }, 'invalid_client_metadata'],
  ]
  for (const [body, code] of bodies)
    expect([body, oauthErrorOf(await postRegistration(service, body))]).toEqual([body, `400 ${code}`])
  const form = await postForm(service.app, '/mcp/register', { redirect_uris: LOOPBACK_URI })
  expect(oauthErrorOf(form)).toBe('400 invalid_client_metadata')
  const tooLarge = await postRegistration(service, {
    redirect_uris: [LOOPBACK_URI],
    client_name: 'x'.repeat(1_048_576),
  })
  expect(oauthErrorOf(tooLarge)).toBe('400 invalid_request')
  const withInvalidName = await postRegistration(
    service,
    '{"redirect_uris":["https://radar.example/cb"],"client_name":"\\ud800","logo_uri":"\\ud800"}',
  )
  expect([withInvalidName.status, (withInvalidName.json as { client_name: string }).client_name]).toEqual([
    201,
    'radar.example',
  ])
})

test('limits registrations per hour and the other endpoints per minute, each per address', async () => {
  const service = await openService(memoryStorage(), { limits: { REGISTER: 2, OAUTH: 1 } })
  const client_id = await registerPublicClient(service)
  await registerPublicClient(service)
  const rejected = await postRegistration(service, { redirect_uris: [LOOPBACK_URI] })
  expect(oauthErrorOf(rejected)).toBe('429 temporarily_unavailable')
  expect(rejected.json).toHaveProperty('error_description', 'Rate limit exceeded. Try again in 3600 seconds.')
  expect([rejected.headers.get('Retry-After'), rejected.headers.get('X-RateLimit-Limit')]).toEqual([
    '3600',
    '2',
  ])
  for (const sendAgain of [
    () => authorizePublicClient(service, publicClientParameters(client_id)),
    () => exchangePublicClientCode(service, client_id, 'x'),
    () => revokePublicClientToken(service, client_id, 'x'),
  ]) {
    expect((await sendAgain()).status).not.toBe(429)
    expect(oauthErrorOf(await sendAgain())).toBe('429 temporarily_unavailable')
  }
})

test('a browser gets an error page with the OAuth error code', async () => {
  const { service, client_id } = await openTestService()
  const headers = { Accept: 'text/html,*/*;q=0.8' }
  for (const [fields, status, code] of [
    [publicClientParameters(UNKNOWN_ID), 400, 'invalid_client'],
    [publicClientParameters(client_id, { redirect_uri: 'javascript:alert(1)' }), 400, 'invalid_request'],
    [publicClientParameters(client_id, { resource: '<b>' }), 400, 'invalid_target'],
    [publicClientParameters(client_id, { scope: '<script>' }), 400, 'invalid_scope'],
  ] as const) {
    const response = await authorizePublicClient(service, fields, headers)
    expect([response.status, response.headers.get('Content-Type')]).toEqual([
      status,
      'text/html; charset=utf-8',
    ])
    expect(response.text).toContain(`<code>${code}</code>`)
    expect(response.text).not.toMatch(/<b>|<script|http-equiv|javascript:/)
    expect([response.headers.get('Location'), response.headers.get('WWW-Authenticate')]).toEqual([null, null])
    expect(response.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
  }
})

test('the consent page and the issuer are below the path of the service', async () => {
  const { service, acme, client_id } = await openTestService({ issuer: 'https://crm.example/sales' })
  const { headers } = await authorizePublicClient(
    service,
    publicClientParameters(client_id, { resource: 'https://crm.example/sales/mcp' }),
  )
  expect(headers.get('Location')).toMatch(/^\/sales\/oauth\/consent\?request=[0-9a-f-]{36}$/)
  const request = headers.get('Location')?.split('=')[1] ?? ''
  const redirect = await service.crm.oauth.approve({ session_id: '', user: acme.owner }, request, acme.id)
  expect(new URL(redirect ?? '').searchParams.get('iss')).toBe('https://crm.example/sales/mcp')
})
