import { describe, expect, test } from 'vitest'
import { catchRejection, NOON } from '../../../../test/harness.ts'
import { APP, REDIRECT_URI, VERIFIER } from '../../../../test/oauth-harness.ts'
import { LOOPBACK, withPublicClient } from '../../../../test/public-client-harness.ts'
import { SCOPES } from '../../../kernel/actor.ts'
import { memoryStorage } from '../../../memory/index.ts'
import { MCP_SCOPES } from './public-client.ts'

const NO_CLIENT = {
  code: 'invalid_client',
  message: 'The client does not exist, is not active, or its credentials are wrong.',
}
const NO_URI = {
  code: 'invalid_request',
  message: 'The redirect_uri is not registered for the app.',
  fields: { redirect_uri: 'Must be one of the registered redirect URIs, to the letter.' },
}

/** Each scope is here by choice: a new one is not for a program that registered itself. */
const TOOL_SCOPES = [
  ...['people:read', 'people:write', 'companies:read', 'companies:write', 'deals:read', 'deals:write'],
  ...['tasks:read', 'tasks:write', 'activities:read', 'activities:write', 'products:read', 'products:write'],
  ...['tags:read', 'tags:write', 'lists:read', 'lists:write', 'custom_fields:read', 'custom_fields:write'],
  'members:read',
]

describe('a public client', () => {
  test('gets tokens for /mcp only, from its own issuer, after the user approves', async () => {
    const {
      crm,
      publicClients,
      authorizationRequest,
      userSession,
      ann,
      exchange,
      authenticateToken,
      grants,
      apps,
      client_id,
    } = await withPublicClient()
    const id = await publicClients.beginAuthorization({
      ...authorizationRequest,
      state: 's',
      scope: 'people:read tasks:write',
    })
    expect(await crm.oauth.consent(userSession, id)).toMatchObject({
      app_name: 'Radar',
      publicClient: { metadata_url: null },
    })
    const redirect = new URL((await crm.oauth.approve(userSession, id, ann.workspaceId))!)
    const { code, ...rest } = Object.fromEntries(redirect.searchParams)
    expect(rest).toEqual({ state: 's', iss: 'https://crm.example/mcp' })
    const tokens = await exchange(code!)
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^crm_rt_[0-9a-f]{192}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      workspace_slug: 'acme',
      scope: 'people:read tasks:write',
    })
    expect(await authenticateToken(tokens.access_token)).toMatchObject({
      clientId: client_id,
      userId: ann.userId,
      workspaceId: ann.workspaceId,
    })
    expect(await authenticateToken(tokens.access_token, 'interface')).toBeUndefined()
    expect(await grants()).toMatchObject([
      { client_id, audience: 'mcp', scopes: ['people:read', 'tasks:write'] },
    ])
    expect(await apps()).toMatchObject([{ id: client_id, unused_since: null }])
  })

  test('gets access_denied with its own issuer when the user denies', async () => {
    const { crm, publicClients, authorizationRequest } = await withPublicClient()
    const redirect = await crm.oauth.deny(await publicClients.beginAuthorization(authorizationRequest))
    expect(redirect).toBe(`${LOOPBACK}?error=access_denied&iss=https%3A%2F%2Fcrm.example%2Fmcp`)
  })

  test('may request any scope of /mcp, and defaults to its registered scopes or those of the MCP tools', async () => {
    const { publicClients, storage, authorizationRequest } = await withPublicClient()
    const requestScopes = async (parameters: Readonly<Record<string, string>>) => {
      const id = await publicClients.beginAuthorization(parameters)
      return (await storage.read((tx) => tx.authorizations.get(id)))?.scopes
    }
    expect(await requestScopes({ ...authorizationRequest, scope: MCP_SCOPES.join(' ') })).toEqual(MCP_SCOPES)
    expect(MCP_SCOPES).toEqual([...TOOL_SCOPES, 'webhooks:manage', 'webhooks:read'])
    for (const scope of SCOPES.filter((each) => !MCP_SCOPES.includes(each)))
      expect(await catchRejection(requestScopes({ ...authorizationRequest, scope }))).toMatchObject({
        fields: { scope: 'Must be scopes of this service, separated by spaces.' },
      })
    const defaultScopes = await requestScopes(authorizationRequest)
    expect(defaultScopes).toEqual(TOOL_SCOPES)
    const client = await publicClients.register({
      redirect_uris: [LOOPBACK],
      scope: 'deals:read openid people:read',
    })
    expect(await requestScopes({ ...authorizationRequest, client_id: client.client_id })).toEqual([
      'people:read',
      'deals:read',
    ])
    expect(
      await requestScopes({ ...authorizationRequest, client_id: client.client_id, scope: 'tasks:write' }),
    ).toEqual(['tasks:write'])
  })

  test('may request scopes of OpenID Connect, which are ignored', async () => {
    const { storage, publicClients, authorizationRequest, codeFor, exchange, refresh } =
      await withPublicClient()
    const requestScopes = async (scope: string) => {
      const id = await publicClients.beginAuthorization({ ...authorizationRequest, scope })
      return (await storage.read((tx) => tx.authorizations.get(id)))?.scopes
    }
    expect(await requestScopes('openid people:read email profile offline_access')).toEqual(['people:read'])
    expect(await requestScopes('openid offline_access')).toHaveLength(19)
    const { refresh_token, scope } = await exchange(await codeFor({ scope: 'people:read tasks:read' }))
    expect(scope).toBe('people:read tasks:read')
    expect(await refresh(refresh_token, { scope: 'people:read offline_access' })).toMatchObject({
      scope: 'people:read',
    })
  })

  test('gets an error for an unknown scope and for a missing or invalid code challenge', async () => {
    const { publicClients, authorizationRequest } = await withPublicClient()
    await expect(
      publicClients.beginAuthorization({ ...authorizationRequest, scope: 'people:read address' }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      rfcCode: 'invalid_scope',
      fields: { scope: 'Must be scopes of this service, separated by spaces.' },
    })
    const { code_challenge, code_challenge_method, ...withoutPkce } = authorizationRequest
    for (const [parameters, fields] of [
      [withoutPkce, { code_challenge: 'Required.' }],
      [{ ...withoutPkce, code_challenge_method }, { code_challenge: 'Required.' }],
      [{ ...withoutPkce, code_challenge }, { code_challenge_method: 'Must be S256.' }],
      [
        { ...authorizationRequest, code_challenge_method: 'plain' },
        { code_challenge_method: 'Must be S256.' },
      ],
      [
        { ...authorizationRequest, code_challenge: 'x' },
        { code_challenge: 'Must be 43 characters of Base64url.' },
      ],
    ] as const) {
      await expect(publicClients.beginAuthorization(parameters)).rejects.toMatchObject({
        code: 'invalid_request',
        rfcCode: undefined,
        fields,
      })
    }
  })
})

describe('a redirect URI of a public client', () => {
  test.each([
    'http://127.0.0.1:1/callback',
    'http://127.0.0.1:65535/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:7777/',
    'http://localhost:7777',
    'https://radar.example/cb',
  ])('matches on any loopback port, and exactly elsewhere: %s', async (redirect_uri) => {
    const { publicClients, authorizationRequest } = await withPublicClient()
    const redirect_uris = [LOOPBACK, 'http://[::1]:9/', 'http://localhost', 'https://radar.example/cb']
    const { client_id } = await publicClients.register({ redirect_uris })
    expect(
      await publicClients.beginAuthorization({ ...authorizationRequest, client_id, redirect_uri }),
    ).toMatch(/^0198/)
  })

  test.each([
    'http://127.0.0.1:7777/callback/',
    'http://127.0.0.1:7777/Callback',
    'http://127.0.0.1:7777/callback?x=1',
    'http://127.0.0.1:7777/callback#',
    'http://127.0.0.1:65536/callback',
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:0x50/callback',
    'http://localhost:7777/callback',
    'http://127.0.0.2:7777/callback',
    'http://127.0.0.1:7777@evil.example/callback',
    'http://user@127.0.0.1:7777/callback',
    'http://127.0.0.1:7777\\callback',
    'http://127.0.0.1.evil.example/callback',
    'HTTP://127.0.0.1:7777/callback',
    'https://127.0.0.1:7777/callback',
    'https://radar.example:8443/cb',
    'https://radar.example/cb/',
    'https://RADAR.example/cb',
    'https://radar.example/cb?',
    'https://radar.example/%63b',
    'https://radar.example@evil.example/cb',
    'cursor://127.0.0.1/callback',
    '\ud800',
    '',
  ])('does not match %j', async (redirect_uri) => {
    const { publicClients, authorizationRequest } = await withPublicClient()
    const { client_id } = await publicClients.register({
      redirect_uris: [LOOPBACK, 'https://radar.example/cb'],
    })
    const error = await catchRejection(
      publicClients.beginAuthorization({ ...authorizationRequest, client_id, redirect_uri }),
    )
    expect(error).toMatchObject(redirect_uri === '' ? { fields: { redirect_uri: 'Required.' } } : NO_URI)
  })

  test('must have the port of the authorization request when the code is exchanged', async () => {
    const { codeFor, exchange } = await withPublicClient()
    const code = await codeFor({ redirect_uri: 'http://127.0.0.1:7777/callback' })
    expect(await catchRejection(exchange(code, { redirect_uri: LOOPBACK }))).toMatchObject({
      code: 'invalid_grant',
    })
    expect(await exchange(code, { redirect_uri: 'http://127.0.0.1:7777/callback' })).toHaveProperty(
      'access_token',
    )
  })

  test('must match exactly for a confidential app, also on the loopback', async () => {
    const { crm } = await withPublicClient()
    const { client_id } = await crm.operator.createApp({ ...APP, redirect_uris: [LOOPBACK] })
    const redirect_uri = 'http://127.0.0.1:7777/callback'
    expect(
      await catchRejection(crm.oauth.beginAuthorization({ client_id, redirect_uri, response_type: 'code' })),
    ).toEqual(NO_URI)
  })
})

describe('the two issuers', () => {
  test("reject each other's clients", async () => {
    const { crm, publicClients, client_id, authorizationRequest, codeFor, exchange, refresh } =
      await withPublicClient()
    const app = await crm.operator.createApp({ ...APP, redirect_uris: [REDIRECT_URI, LOOPBACK] })
    expect(await catchRejection(crm.oauth.beginAuthorization(authorizationRequest))).toEqual(NO_CLIENT)
    expect(
      await catchRejection(
        publicClients.beginAuthorization({ ...authorizationRequest, client_id: app.client_id }),
      ),
    ).toEqual(NO_CLIENT)

    const code = await codeFor()
    const request = { grant_type: 'authorization_code', code, code_verifier: VERIFIER }
    for (const client_secret of ['', 'x', '0'.repeat(64)]) {
      const error = await catchRejection(crm.oauth.token({ ...request, client_id, client_secret }))
      expect(error.code).toBe(client_secret === '' ? 'invalid_request' : 'invalid_client')
      expect(await catchRejection(crm.oauth.token({ ...request }, { client_id, client_secret }))).toEqual(
        NO_CLIENT,
      )
    }
    const { client_secret } = app
    expect(
      await catchRejection(crm.oauth.token({ ...request, client_id: app.client_id, client_secret })),
    ).toHaveProperty('code', 'invalid_grant')
    expect(await catchRejection(exchange(code, { client_id: app.client_id }))).toEqual(NO_CLIENT)
    expect(await catchRejection(exchange(code, { client_secret: 'x' }))).toEqual({
      code: 'invalid_client',
      message: 'A public client has no secret.',
      fields: { client_secret: 'Must not be sent.' },
    })
    const { refresh_token } = await exchange(code)
    const refreshRequest = {
      grant_type: 'refresh_token',
      refresh_token,
      client_id: app.client_id,
      client_secret,
    }
    expect(await catchRejection(crm.oauth.token(refreshRequest))).toHaveProperty('code', 'invalid_grant')
    expect(await catchRejection(refresh(refresh_token, { client_id: app.client_id }))).toEqual(NO_CLIENT)
    expect(await refresh(refresh_token)).toHaveProperty('access_token')
  })

  test('give public clients no secret and no operator token', async () => {
    const { crm, client_id, storage, ann } = await withPublicClient()
    const ORIGIN = { address: '192.0.2.1', language: 'en' }
    for (const email of ['null', 'a@b.co', 'dev@app.example']) {
      expect(await catchRejection(crm.oauth.rotateApp({ client_id, email }, ORIGIN))).toMatchObject(
        email === 'null' ? { code: 'invalid_request' } : { code: 'invalid_client' },
      )
    }
    const input = { workspace: 'acme', client_id, user_email: 'ann@acme.example' }
    expect(await catchRejection(crm.operator.createToken(input))).toEqual({
      code: 'not_found',
      message: 'App not found.',
    })
    expect(await storage.read((tx) => tx.workspace(ann.workspaceId).grants.find([]))).toEqual([])
  })

  test('reject every request of an inactive public client', async () => {
    const { publicClients, authorizationRequest, codeFor, exchange, refresh, storage, client_id } =
      await withPublicClient()
    const [code, { refresh_token }] = [await codeFor(), await exchange(await codeFor())]
    await storage.transact(async (tx) =>
      tx.apps.update({ ...(await tx.apps.getForUpdate(client_id))!, active: false }),
    )
    for (const work of [
      publicClients.beginAuthorization(authorizationRequest),
      exchange(code),
      refresh(refresh_token),
    ])
      expect(await catchRejection(work)).toEqual(NO_CLIENT)
  })

  test('delete a public client that stayed unused for 30 days, and reject its pending code', async () => {
    const { crm, codeFor, exchange, apps, grants, clock, client_id } = await withPublicClient()
    clock.set('2026-03-31T11:55:00.000Z')
    const code = await codeFor()
    expect(await apps()).toMatchObject([{ id: client_id, unused_since: NOON }])
    clock.set('2026-03-31T12:00:00.000Z')
    await crm.deleteExpired()
    expect(await apps()).toEqual([])
    expect(await catchRejection(exchange(code))).toEqual(NO_CLIENT)
    expect(await grants()).toEqual([])
  })

  test('issue no tokens to a public client that is deleted concurrently', async () => {
    const memory = memoryStorage()
    let beforeTransaction = async () => {}
    const storage: typeof memory = {
      ...memory,
      async transact(work) {
        await beforeTransaction()
        return memory.transact(work)
      },
    }
    const { codeFor, exchange, grants, client_id } = await withPublicClient({ storage })
    const code = await codeFor()
    beforeTransaction = () => memory.transact((tx) => tx.apps.hardDelete(client_id))
    expect(await catchRejection(exchange(code))).toEqual(NO_CLIENT)
    expect(await grants()).toEqual([])
  })

  test('keep a public client that a user approved', async () => {
    const { crm, codeFor, exchange, apps, clock, client_id } = await withPublicClient()
    await exchange(await codeFor())
    clock.set('2027-03-31T12:00:00.000Z')
    await crm.deleteExpired()
    expect(await apps()).toMatchObject([{ id: client_id }])
  })
})
