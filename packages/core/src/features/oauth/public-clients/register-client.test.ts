import { describe, expect, test } from 'vitest'
import { catchRejection, createTestCrm, NOON } from '../../../../test/harness.ts'
import { LOOPBACK } from '../../../../test/public-client-harness.ts'
import { DEFAULT_SCOPES } from './public-client.ts'

const register = async (input: object) => (await createTestCrm()).crm.oauth.publicClients.register(input)

describe('dynamic client registration', () => {
  test('creates an active public client without a secret or e-mail address', async () => {
    const { crm, storage } = await createTestCrm()
    const client = await crm.oauth.publicClients.register({
      client_name: ' Radar ',
      redirect_uris: [LOOPBACK, 'https://radar.example/cb'],
      scope: 'tasks:read people:read',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      response_types: ['code', 'token'],
      token_endpoint_auth_method: 'client_secret_basic',
      client_uri: 'https://radar.example',
      application_type: 'native',
      contacts: [{}],
    })
    expect(client).toEqual({
      client_id: client.client_id,
      client_id_issued_at: Date.parse(NOON) / 1000,
      client_name: 'Radar',
      redirect_uris: [LOOPBACK, 'https://radar.example/cb'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'people:read tasks:read',
    })
    expect(await storage.read((tx) => tx.apps.find([]))).toEqual([
      {
        id: client.client_id,
        name: 'Radar',
        email: null,
        redirect_uris: client.redirect_uris,
        scopes: ['people:read', 'tasks:read'],
        secret_hash: null,
        active: true,
        kind: 'registered',
        metadata_url: null,
        fetched_at: null,
        fresh_until: null,
        unused_since: NOON,
        created_at: NOON,
        updated_at: NOON,
      },
    ])
  })

  test.each([
    [undefined, 'radar.example'],
    [null, 'radar.example'],
    [7, 'radar.example'],
    ['  ', 'radar.example'],
    ['\ud800', 'radar.example'],
    ['a\u0000b', 'radar.example'],
    ['x'.repeat(81), 'radar.example'],
    ['https://evil.example', 'radar.example'],
    ['me@evil.example', 'radar.example'],
    ['x'.repeat(80), 'x'.repeat(80)],
    ['<b>Radar</b>', '<b>Radar</b>'],
  ])('with the client_name %j stores the name %s', async (client_name, expected) => {
    const { client_name: name } = await register({
      client_name,
      redirect_uris: ['https://www.radar.example/cb'],
    })
    expect(name).toBe(expected)
  })

  test.each([
    ['http://localhost/x', 'localhost'],
    ['http://[::1]:7/x', '[::1]:7'],
    ['https://radar.example:8443?x', 'radar.example:8443'],
    [`https://${'a'.repeat(63)}.${'b'.repeat(63)}.example/`, `${'a'.repeat(63)}.${'b'.repeat(16)}`],
  ])('without a client_name, with the redirect URI %s, stores the name %s', async (uri, name) => {
    expect(await register({ redirect_uris: [uri] })).toHaveProperty('client_name', name)
  })

  test.each([undefined, null, '', 'openid profile'])(
    'defaults to the scopes of the MCP tools when scope is %j',
    async (scope) => {
      const { scope: registered } = await register({ redirect_uris: [LOOPBACK], scope })
      expect(registered.split(' ')).toEqual(DEFAULT_SCOPES)
    },
  )

  test('drops redirect URIs with a private scheme if others remain', async () => {
    // The metadata that Cursor sends.
    const privateUri = 'cursor://anysphere.cursor-mcp/oauth/callback'
    const webUris = ['https://www.cursor.com/agents/mcp/oauth/callback', 'http://localhost:8787/callback']
    expect(await register({ redirect_uris: [privateUri, ...webUris] })).toHaveProperty(
      'redirect_uris',
      webUris,
    )
    expect(await register({ redirect_uris: ['javascript:alert(1)', 'data:,x', LOOPBACK] })).toHaveProperty(
      'redirect_uris',
      [LOOPBACK],
    )
  })

  test.each<[unknown, string, unknown]>([
    [undefined, 'redirect_uris', 'Required.'],
    [null, 'redirect_uris', 'Must not be null.'],
    ['https://a.co/', 'redirect_uris', 'Must be an array.'],
    [[], 'redirect_uris', 'Must have between 1 and 10 URIs.'],
    [
      Array.from({ length: 11 }, (_, nth) => `https://a.co/${nth}`),
      'redirect_uris',
      'Must have between 1 and 10 URIs.',
    ],
    [['https://a.co/', 'https://a.co/'], 'redirect_uris', 'Must name none of the URIs twice.'],
    [['https://a.co/', 7], 'redirect_uris[1]', 'Must be a string.'],
    [['https://a.co/', 'http://evil.example/'], 'redirect_uris[1]', expect.any(String)],
    [['https://a.co/', 'cursor'], 'redirect_uris[1]', expect.any(String)],
    [['cursor://x/y', { toString: 'x' }], 'redirect_uris[1]', 'Must be a string.'],
    ...[
      'http://a.co/',
      'cursor://x/y',
      'javascript:alert(1)',
      'https://a.co/#',
      'https://u@a.co/',
      'https://a.co\\',
      'http://127.0.0.2/',
    ].map((uri): [unknown, string, unknown] => [[uri], 'redirect_uris[0]', expect.any(String)]),
  ])('rejects the redirect_uris %j', async (redirect_uris, field, rule) => {
    const { crm, storage } = await createTestCrm()
    const registration = crm.oauth.publicClients.register({ redirect_uris, scope: 7 })
    await expect(registration).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'The registration is invalid.',
      rfcCode: 'invalid_redirect_uri',
      fields: { [field]: rule, scope: 'Must be a string.' },
    })
    expect(await storage.read((tx) => tx.apps.find([]))).toEqual([])
  })

  test.each([
    [{ scope: ['people:read'] }, { scope: 'Must be a string.' }],
    [{ grant_types: ['client_credentials'] }, { grant_types: 'Must hold authorization_code.' }],
    [{ grant_types: 'authorization_code' }, { grant_types: 'Must be an array.' }],
    [{ response_types: ['token'] }, { response_types: 'Must hold code.' }],
  ])('rejects %j', async (more, fields) => {
    await expect(register({ redirect_uris: [LOOPBACK], ...more })).rejects.toMatchObject({
      rfcCode: 'invalid_client_metadata',
      fields,
    })
  })

  test('ignores unknown fields, also those named like object prototype members', async () => {
    const input = JSON.parse(
      `{"redirect_uris": ["${LOOPBACK}"], "__proto__": {"scope": 7}, "constructor": 1, "toString": null}`,
    )
    expect(await register(input)).toHaveProperty('token_endpoint_auth_method', 'none')
    expect(await catchRejection(register(Object.create({ redirect_uris: [7] })))).toHaveProperty(
      'code',
      'invalid_request',
    )
  })
})
