import { describe, expect, test } from 'vitest'
import { catchRejection, NOON, UNKNOWN_ID } from '../../../../test/harness.ts'
import { APP, CHALLENGE, PKCE, REDIRECT_URI, withApp } from '../../../../test/oauth-harness.ts'

const NO_CLIENT = {
  code: 'invalid_client',
  message: 'The client does not exist, is not active, or its credentials are wrong.',
}
const REQUIRED = 'A required parameter is missing.'
const INVALID = 'A parameter is invalid.'

describe('an authorization request', () => {
  test('is stored for half an hour and defaults to all scopes of the app', async () => {
    const { oauth, storage, authorizationRequest } = await withApp()
    const id = await oauth.beginAuthorization(authorizationRequest)
    expect(await storage.read((tx) => tx.authorizations.get(id))).toEqual({
      id,
      client_id: authorizationRequest.client_id,
      redirect_uri: REDIRECT_URI,
      state: null,
      scopes: APP.scopes,
      audience: 'interface',
      code_challenge: null,
      expires_at: '2026-03-01T12:30:00.000Z',
      created_at: NOON,
      updated_at: NOON,
    })
  })

  test('stores the requested scopes, state and code challenge', async () => {
    const { oauth, storage, authorizationRequest } = await withApp()
    const id = await oauth.beginAuthorization({
      ...authorizationRequest,
      scope: 'deals:read tasks:read deals:read',
      state: 'a b&\u0000é😀',
      ...PKCE,
    })
    expect(await storage.read((tx) => tx.authorizations.get(id))).toMatchObject({
      state: 'a%20b%26%00%C3%A9%F0%9F%98%80',
      scopes: ['tasks:read', 'deals:read'],
      code_challenge: CHALLENGE,
    })
  })

  test('ignores unknown parameters, also repeated ones, and empty values', async () => {
    const { oauth, storage, authorizationRequest } = await withApp()
    const empty = { state: '', scope: '', code_challenge: '', code_challenge_method: '' }
    const id = await oauth.beginAuthorization({
      ...authorizationRequest,
      ...empty,
      nonce: ['1', '2'],
      prompt: 'login',
    })
    expect(await storage.read((tx) => tx.authorizations.get(id))).toMatchObject({
      state: null,
      scopes: APP.scopes,
      code_challenge: null,
    })
  })

  test('requires an existing, active client', async () => {
    const { oauth, authorizationRequest, changeApp } = await withApp()
    const { client_id: _, ...anonymous } = authorizationRequest
    for (const parameters of [{}, anonymous, { ...authorizationRequest, client_id: '' }]) {
      expect(await catchRejection(oauth.beginAuthorization(parameters))).toEqual({
        code: 'invalid_request',
        message: REQUIRED,
        fields: { client_id: 'Required.' },
      })
    }
    for (const client_id of [
      UNKNOWN_ID,
      'app',
      `${authorizationRequest.client_id} `,
      '\u0000',
      '\ud800',
      "'",
    ]) {
      expect(await catchRejection(oauth.beginAuthorization({ ...authorizationRequest, client_id }))).toEqual(
        NO_CLIENT,
      )
    }
    await changeApp({ active: false })
    expect(
      await catchRejection(
        oauth.beginAuthorization({ ...authorizationRequest, redirect_uri: 'https://evil.example/' }),
      ),
    ).toEqual(NO_CLIENT)
  })

  test.each([
    'https://app.example/back',
    'https://app.example/back?x=1&',
    'https://app.example/back?x=1#f',
    'https://app.example/back/?x=1',
    'https://app.example/Back?x=1',
    'https://APP.example/back?x=1',
    'https://app.example:443/back?x=1',
    'https://app.example./back?x=1',
    'https://app.example/%62ack?x=1',
    'https://app.example/./back?x=1',
    'https://app.example/a/../back?x=1',
    'https://app.example//back?x=1',
    'https://app.example\\back?x=1',
    'https://app.example@evil.example/back?x=1',
    'https://evil.example/https://app.example/back?x=1',
    'http://app.example/back?x=1',
    '//app.example/back?x=1',
    '/back?x=1',
    ' https://app.example/back?x=1',
    'https://аpp.example/back?x=1',
    'https://app.example/back?x=1\u0000',
    'javascript:alert(1)',
  ])('rejects the unregistered redirect URI %j', async (redirect_uri) => {
    const { oauth, authorizationRequest } = await withApp()
    expect(
      await catchRejection(
        oauth.beginAuthorization({ ...authorizationRequest, redirect_uri, response_type: 'token' }),
      ),
    ).toEqual({
      code: 'invalid_request',
      message: 'The redirect_uri is not registered for the app.',
      fields: { redirect_uri: 'Must be one of the registered redirect URIs, to the letter.' },
    })
  })

  test('requires a redirect_uri first, then a response_type', async () => {
    const { oauth, authorizationRequest } = await withApp()
    const { client_id } = authorizationRequest
    const missingError = (name: string) => ({
      code: 'invalid_request',
      message: REQUIRED,
      fields: { [name]: 'Required.' },
    })
    expect(await catchRejection(oauth.beginAuthorization({ client_id, scope: 'x' }))).toEqual(
      missingError('redirect_uri'),
    )
    expect(
      await catchRejection(oauth.beginAuthorization({ client_id, redirect_uri: REDIRECT_URI, scope: 'x' })),
    ).toEqual(missingError('response_type'))
  })

  test.each(['token', 'code token', 'Code', 'none'])(
    'rejects the response_type %j',
    async (response_type) => {
      const { oauth, authorizationRequest } = await withApp()
      expect(
        await catchRejection(
          oauth.beginAuthorization({ ...authorizationRequest, response_type, scope: 'x' }),
        ),
      ).toEqual({
        code: 'unsupported_response_type',
        message: 'The response_type must be code.',
        fields: { response_type: 'Must be code.' },
      })
    },
  )

  test('rejects repeated parameters before it looks up the client', async () => {
    const { oauth, authorizationRequest } = await withApp()
    const repeatedMessage = 'Must be sent only once.'
    expect(
      await catchRejection(
        oauth.beginAuthorization({
          ...authorizationRequest,
          client_id: [UNKNOWN_ID, UNKNOWN_ID],
          state: ['a', 'b'],
        }),
      ),
    ).toEqual({
      code: 'invalid_request',
      message: 'A parameter was sent more than once.',
      fields: { client_id: repeatedMessage, state: repeatedMessage },
    })
  })

  const challengeRule = { code_challenge: 'Must be 43 characters of Base64url.' }
  const methodRule = { code_challenge_method: 'Must be S256.' }
  test.each([
    [{ scope: 'tasks:read tasks:write' }, { scope: 'Must be scopes of the app, separated by spaces.' }],
    [{ scope: 'nothing' }, { scope: 'Must be scopes of the app, separated by spaces.' }],
    [{ code_challenge: 'x'.repeat(42), code_challenge_method: 'S256' }, challengeRule],
    [{ code_challenge: 'x'.repeat(44), code_challenge_method: 'S256' }, challengeRule],
    [{ code_challenge: `${'x'.repeat(42)}=`, code_challenge_method: 'S256' }, challengeRule],
    [{ code_challenge: CHALLENGE, code_challenge_method: 'plain' }, methodRule],
    [{ code_challenge: CHALLENGE, code_challenge_method: 's256' }, methodRule],
    [{ code_challenge: CHALLENGE }, methodRule],
    [{ code_challenge_method: 'S256' }, { code_challenge: 'Required with a code_challenge_method.' }],
    [{ code_challenge_method: 'plain' }, { code_challenge: 'Required with a code_challenge_method.' }],
    [
      { scope: 'x', state: '\udc00', code_challenge: 'x' },
      {
        scope: 'Must be scopes of the app, separated by spaces.',
        state: 'Must be text of at most 4096 characters once it is percent-encoded.',
        ...challengeRule,
        ...methodRule,
      },
    ],
  ])('with %j is rejected', async (parameters, fields) => {
    const { oauth, authorizationRequest } = await withApp()
    expect(
      await catchRejection(oauth.beginAuthorization({ ...authorizationRequest, ...parameters })),
    ).toEqual({
      code: 'invalid_request',
      message: INVALID,
      fields,
    })
  })

  test('accepts a state of up to 4096 characters, counted after percent-encoding', async () => {
    const { oauth, authorizationRequest, storage } = await withApp()
    for (const state of ['x'.repeat(4096), ' '.repeat(1365), '😀'.repeat(341)]) {
      const id = await oauth.beginAuthorization({ ...authorizationRequest, state })
      expect((await storage.read((tx) => tx.authorizations.get(id)))?.state).toBe(encodeURIComponent(state))
    }
    for (const state of ['x'.repeat(4097), ' '.repeat(1366), '😀'.repeat(342), 'x'.repeat(1e6)]) {
      expect(
        (await catchRejection(oauth.beginAuthorization({ ...authorizationRequest, state }))).fields,
      ).toHaveProperty('state')
    }
  })

  test('stores nothing if it is rejected', async () => {
    const { oauth, authorizationRequest, storage } = await withApp()
    await catchRejection(oauth.beginAuthorization({ ...authorizationRequest, scope: 'x' }))
    await catchRejection(
      oauth.beginAuthorization({ ...authorizationRequest, redirect_uri: 'https://evil.example/' }),
    )
    expect(await storage.read((tx) => tx.authorizations.find([]))).toEqual([])
  })
})
