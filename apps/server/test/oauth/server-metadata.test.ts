import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { openService, sendRequest } from '../support/test-service.ts'

const SCOPES = [
  ...[
    'people',
    'companies',
    'deals',
    'tasks',
    'activities',
    'products',
    'tags',
    'lists',
    'custom_fields',
    'views',
  ].flatMap((family) => [`${family}:read`, `${family}:write`]),
  'members:read',
  'members:manage',
  'webhooks:manage',
  'webhooks:read',
  'workspace:manage',
  'imports:read',
  'imports:write',
  'imports:manage',
]

test.each(['https://crm.example', 'https://crm.example/sales', 'http://127.0.0.1:3000'])(
  'a client discovers the authorization server: %s',
  async (issuer) => {
    const { app } = await openService(memoryStorage(), { issuer })
    const response = await sendRequest(app, 'GET', '/.well-known/oauth-authorization-server')
    const { pathname } = new URL(issuer)
    for (const document of ['oauth-authorization-server', 'oauth-protected-resource']) {
      const [atRoot, below] = await Promise.all(
        ['', pathname === '/' ? '' : pathname].map((path) =>
          sendRequest(app, 'GET', `/.well-known/${document}${path}`),
        ),
      )
      expect([below?.status, below?.text]).toEqual([200, atRoot?.text])
    }
    expect([response.status, response.json]).toEqual([
      200,
      {
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        revocation_endpoint: `${issuer}/oauth/revoke`,
        scopes_supported: SCOPES,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
        revocation_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
        authorization_response_iss_parameter_supported: true,
      },
    ])
  },
)

test('a client finds the authorization server from the API address', async () => {
  const { app } = await openService(memoryStorage(), { issuer: 'https://crm.example' })
  const response = await sendRequest(app, 'GET', '/.well-known/oauth-protected-resource?x=1')
  expect([response.status, response.json]).toEqual([
    200,
    {
      resource: 'https://crm.example',
      authorization_servers: ['https://crm.example'],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
    },
  ])
})

test('metadata is cacheable for an hour and counts as a GET call', async () => {
  const { app } = await openService(memoryStorage(), { limits: { GET: 2 } })
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource']) {
    const { headers } = await sendRequest(app, 'GET', path)
    expect([
      headers.get('Cache-Control'),
      headers.get('X-RateLimit-Limit'),
      headers.get('Content-Type'),
    ]).toEqual(['public, max-age=3600', '2', 'application/json; charset=utf-8'])
  }
  expect((await sendRequest(app, 'GET', '/.well-known/oauth-protected-resource')).status).toBe(429)
  expect((await sendRequest(app, 'POST', '/.well-known/oauth-protected-resource')).status).toBe(404)
})
