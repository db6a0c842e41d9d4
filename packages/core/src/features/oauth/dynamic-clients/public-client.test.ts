import { describe, expect, test } from 'vitest'
import { catchRejection, NOON } from '../../../../test/harness.ts'
import { APP, REDIRECT_URI, VERIFIER } from '../../../../test/oauth-harness.ts'
import { LOOPBACK, withPublicClient } from '../../../../test/public-client-harness.ts'
import { SCOPES } from '../../../kernel/actor.ts'
import { memoryStorage } from '../../../memory/index.ts'

const NO_CLIENT = {
  code: 'invalid_client',
  message: 'The client does not exist, is not active, or its credentials are wrong.',
}
const NO_URI = {
  code: 'invalid_request',
  message: 'The redirect_uri is not registered for the app.',
  fields: { redirect_uri: 'Must be one of the registered redirect URIs, to the letter.' },
}

describe('a program', () => {
  test('is let in by the user it asks, for the tools alone, under an issuer of its own', async () => {
    const { crm, programs, asked, visitor, ann, exchange, authenticateToken, grants, apps, client_id } =
      await withPublicClient()
    const id = await programs.beginAuthorization({ ...asked, state: 's', scope: 'people:read tasks:write' })
    expect(await crm.oauth.consent(visitor, id)).toMatchObject({
      app_name: 'Radar',
      publicClient: { metadata_url: null },
    })
    const back = new URL((await crm.oauth.approve(visitor, id, ann.workspaceId))!)
    const { code, ...rest } = Object.fromEntries(back.searchParams)
    expect(rest).toEqual({ state: 's', iss: 'https://crm.example/mcp' })
    const made = await exchange(code!)
    expect(made).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^crm_rt_[0-9a-f]{192}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      workspace_slug: 'acme',
      scope: 'people:read tasks:write',
    })
    expect(await authenticateToken(made.access_token)).toMatchObject({
      clientId: client_id,
      userId: ann.userId,
      workspaceId: ann.workspaceId,
    })
    expect(await authenticateToken(made.access_token, 'interface')).toBeUndefined()
    expect(await grants()).toMatchObject([
      { client_id, audience: 'mcp', scopes: ['people:read', 'tasks:write'] },
    ])
    expect(await apps()).toMatchObject([{ id: client_id, unused_since: null }])
  })

  test('that is denied hears so from its own issuer', async () => {
    const { crm, programs, asked } = await withPublicClient()
    const back = await crm.oauth.deny(await programs.beginAuthorization(asked))
    expect(back).toBe(`${LOOPBACK}?error=access_denied&iss=https%3A%2F%2Fcrm.example%2Fmcp`)
  })

  test('may ask for any scope, and gets what it registered with, or all that the tools use, when it names none', async () => {
    const { programs, storage, asked } = await withPublicClient()
    const scopesOf = async (sent: Readonly<Record<string, string>>) => {
      const id = await programs.beginAuthorization(sent)
      return (await storage.read((tx) => tx.authorizations.get(id)))?.scopes
    }
    expect(await scopesOf({ ...asked, scope: SCOPES.join(' ') })).toEqual(SCOPES)
    const usual = await scopesOf(asked)
    expect(usual).toHaveLength(19)
    expect(usual).not.toContain('webhooks:manage')
    const one = await programs.register({ redirect_uris: [LOOPBACK], scope: 'deals:read openid people:read' })
    expect(await scopesOf({ ...asked, client_id: one.client_id })).toEqual(['people:read', 'deals:read'])
    expect(await scopesOf({ ...asked, client_id: one.client_id, scope: 'tasks:write' })).toEqual([
      'tasks:write',
    ])
  })

  test('is told of a scope that there is not, and that it must prove itself', async () => {
    const { programs, asked } = await withPublicClient()
    await expect(
      programs.beginAuthorization({ ...asked, scope: 'people:read openid' }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      rfcCode: 'invalid_scope',
      fields: { scope: 'Must be scopes of this service, separated by spaces.' },
    })
    const { code_challenge, code_challenge_method, ...bare } = asked
    for (const [sent, fields] of [
      [bare, { code_challenge: 'Required.' }],
      [{ ...bare, code_challenge_method }, { code_challenge: 'Required.' }],
      [{ ...bare, code_challenge }, { code_challenge_method: 'Must be S256.' }],
      [{ ...asked, code_challenge_method: 'plain' }, { code_challenge_method: 'Must be S256.' }],
      [{ ...asked, code_challenge: 'x' }, { code_challenge: 'Must be 43 characters of Base64url.' }],
    ] as const) {
      await expect(programs.beginAuthorization(sent)).rejects.toMatchObject({
        code: 'invalid_request',
        rfcCode: undefined,
        fields,
      })
    }
  })
})

describe('where a program is answered', () => {
  test.each([
    'http://127.0.0.1:1/callback',
    'http://127.0.0.1:65535/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:7777/',
    'http://localhost:7777',
    'https://radar.example/cb',
  ])('may be on any port of the loopback, and to the letter elsewhere: %s', async (redirect_uri) => {
    const { programs, asked } = await withPublicClient()
    const redirect_uris = [LOOPBACK, 'http://[::1]:9/', 'http://localhost', 'https://radar.example/cb']
    const { client_id } = await programs.register({ redirect_uris })
    expect(await programs.beginAuthorization({ ...asked, client_id, redirect_uri })).toMatch(/^0198/)
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
  ])('is nowhere else: %j', async (redirect_uri) => {
    const { programs, asked } = await withPublicClient()
    const { client_id } = await programs.register({ redirect_uris: [LOOPBACK, 'https://radar.example/cb'] })
    const refused = await catchRejection(programs.beginAuthorization({ ...asked, client_id, redirect_uri }))
    expect(refused).toMatchObject(redirect_uri === '' ? { fields: { redirect_uri: 'Required.' } } : NO_URI)
  })

  test('is the port it asked with, when it exchanges the code', async () => {
    const { codeFor, exchange } = await withPublicClient()
    const code = await codeFor({ redirect_uri: 'http://127.0.0.1:7777/callback' })
    expect(await catchRejection(exchange(code, { redirect_uri: LOOPBACK }))).toMatchObject({
      code: 'invalid_grant',
    })
    expect(await exchange(code, { redirect_uri: 'http://127.0.0.1:7777/callback' })).toHaveProperty(
      'access_token',
    )
  })

  test('is to the letter for an app that a person registered', async () => {
    const { crm } = await withPublicClient()
    const { client_id } = await crm.operator.createApp({ ...APP, redirect_uris: [LOOPBACK] })
    const redirect_uri = 'http://127.0.0.1:7777/callback'
    expect(
      await catchRejection(crm.oauth.beginAuthorization({ client_id, redirect_uri, response_type: 'code' })),
    ).toEqual(NO_URI)
  })
})

describe('the two issuers', () => {
  test("know none of each other's clients", async () => {
    const { crm, programs, client_id, asked, codeFor, exchange, refresh } = await withPublicClient()
    const app = await crm.operator.createApp({ ...APP, redirect_uris: [REDIRECT_URI, LOOPBACK] })
    expect(await catchRejection(crm.oauth.beginAuthorization(asked))).toEqual(NO_CLIENT)
    expect(await catchRejection(programs.beginAuthorization({ ...asked, client_id: app.client_id }))).toEqual(
      NO_CLIENT,
    )

    const code = await codeFor()
    const sent = { grant_type: 'authorization_code', code, code_verifier: VERIFIER }
    for (const client_secret of ['', 'x', '0'.repeat(64)]) {
      const refused = await catchRejection(crm.oauth.token({ ...sent, client_id, client_secret }))
      expect(refused.code).toBe(client_secret === '' ? 'invalid_request' : 'invalid_client')
      expect(await catchRejection(crm.oauth.token({ ...sent }, { client_id, client_secret }))).toEqual(
        NO_CLIENT,
      )
    }
    const { client_secret } = app
    expect(
      await catchRejection(crm.oauth.token({ ...sent, client_id: app.client_id, client_secret })),
    ).toHaveProperty('code', 'invalid_grant')
    expect(await catchRejection(exchange(code, { client_id: app.client_id }))).toEqual(NO_CLIENT)
    expect(await catchRejection(exchange(code, { client_secret: 'x' }))).toEqual({
      code: 'invalid_client',
      message: 'A program has no secret.',
      fields: { client_secret: 'Must not be sent.' },
    })
    const { refresh_token } = await exchange(code)
    const again = { grant_type: 'refresh_token', refresh_token, client_id: app.client_id, client_secret }
    expect(await catchRejection(crm.oauth.token(again))).toHaveProperty('code', 'invalid_grant')
    expect(await catchRejection(refresh(refresh_token, { client_id: app.client_id }))).toEqual(NO_CLIENT)
    expect(await refresh(refresh_token)).toHaveProperty('access_token')
  })

  test('leave programs no other way in', async () => {
    const { crm, client_id, storage, ann } = await withPublicClient()
    const HERE = { address: '192.0.2.1', language: 'en' }
    for (const email of ['null', 'a@b.co', 'dev@app.example']) {
      expect(await catchRejection(crm.oauth.rotateApp({ client_id, email }, HERE))).toMatchObject(
        email === 'null' ? { code: 'invalid_request' } : { code: 'invalid_client' },
      )
    }
    const token = { workspace: 'acme', client_id, user_email: 'ann@acme.example' }
    expect(await catchRejection(crm.operator.createToken(token))).toEqual({
      code: 'not_found',
      message: 'App not found.',
    })
    expect(await storage.read((tx) => tx.workspace(ann.workspaceId).grants.find([]))).toEqual([])
  })

  test('let a program that is turned off ask no more, and exchange nothing', async () => {
    const { programs, asked, codeFor, exchange, refresh, storage, client_id } = await withPublicClient()
    const [code, { refresh_token }] = [await codeFor(), await exchange(await codeFor())]
    await storage.transact(async (tx) =>
      tx.apps.update({ ...(await tx.apps.getForUpdate(client_id))!, active: false }),
    )
    for (const work of [programs.beginAuthorization(asked), exchange(code), refresh(refresh_token)])
      expect(await catchRejection(work)).toEqual(NO_CLIENT)
  })

  test('forget a program that nobody let in, and a code that was on its way with it', async () => {
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

  test('let nobody in for a program that is forgotten at that very moment', async () => {
    const sound = memoryStorage()
    let meanwhile = async () => {}
    const storage: typeof sound = {
      ...sound,
      async transact(work) {
        await meanwhile()
        return sound.transact(work)
      },
    }
    const { codeFor, exchange, grants, client_id } = await withPublicClient({ storage })
    const code = await codeFor()
    meanwhile = () => sound.transact((tx) => tx.apps.hardDelete(client_id))
    expect(await catchRejection(exchange(code))).toEqual(NO_CLIENT)
    expect(await grants()).toEqual([])
  })

  test('keep a program that somebody let in', async () => {
    const { crm, codeFor, exchange, apps, clock, client_id } = await withPublicClient()
    await exchange(await codeFor())
    clock.set('2027-03-31T12:00:00.000Z')
    await crm.deleteExpired()
    expect(await apps()).toMatchObject([{ id: client_id }])
  })
})
