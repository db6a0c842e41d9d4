import { describe, expect, test } from 'vitest'
import { catchRejection, NOON, secrets } from '../../../../test/harness.ts'
import { APP, CHALLENGE, PKCE, REDIRECT_URI, VERIFIER, withApp } from '../../../../test/oauth-harness.ts'

const BAD_CODE = { code: 'invalid_grant', message: 'The code is invalid, has expired, or was used before.' }
const NO_VERIFIER = {
  code: 'invalid_grant',
  message: 'The code was asked for with a code_challenge: send its code_verifier.',
  fields: { code_verifier: 'Required.' },
}
const BAD_VERIFIER = {
  code: 'invalid_grant',
  message: 'The code_verifier does not match the code_challenge.',
  fields: { code_verifier: 'Must match the code_challenge.' },
}

describe('an authorization code', () => {
  test('is exchanged for the tokens of a new grant', async () => {
    const { codeFor, exchange, grants, storage, readScopes, ann, authorizationRequest, clock } =
      await withApp()
    const code = await codeFor({ scope: 'people:read tasks:read' })
    clock.advance(60)
    const tokens = await exchange(code)
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^crm_rt_[0-9a-f]{128}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      workspace_slug: 'acme',
    })
    const at = '2026-03-01T12:01:00.000Z'
    const [grant, ...others] = await grants()
    expect(others).toEqual([])
    expect(grant).toEqual({
      id: grant?.id,
      user_id: ann.userId,
      client_id: authorizationRequest.client_id,
      scopes: ['tasks:read', 'people:read'],
      audience: 'interface',
      refresh_hash: secrets.hash(tokens.refresh_token),
      family_hash: null,
      refresh_expires_at: '2026-04-30T12:01:00.000Z',
      revoked_at: null,
      created_at: at,
      updated_at: at,
    })
    expect(await readScopes(tokens.access_token)).toEqual(['tasks:read', 'people:read'])
    const [row] = await storage.read((tx) => tx.authorization_codes.find([]))
    expect(row).toMatchObject({ grant_id: grant?.id, created_at: NOON, updated_at: at })
  })

  test('expires after exactly ten minutes', async () => {
    const { codeFor, exchange, clock } = await withApp()
    const [early, late] = [await codeFor(), await codeFor()]
    clock.set('2026-03-01T12:09:59.999Z')
    expect(await exchange(early)).toHaveProperty('access_token')
    clock.set('2026-03-01T12:10:00.000Z')
    expect(await catchRejection(exchange(late))).toEqual(BAD_CODE)
  })

  test('that was never issued is rejected', async () => {
    const { codeFor, exchange, grants } = await withApp()
    const code = await codeFor()
    const forged = [
      'x',
      '\ud800',
      code.toUpperCase(),
      `${code} `,
      `${code}0`,
      code.slice(0, -1),
      code.replace(/.{64}$/, '0'.repeat(64)),
      code.replace('crm_ac_', 'crm_rt_'),
      code.replace(/(?<=^crm_ac_).{32}/, 'f'.repeat(32)),
    ]
    for (const forgedCode of forged) expect(await catchRejection(exchange(forgedCode))).toEqual(BAD_CODE)
    expect(await grants()).toEqual([])
  })

  test('is rejected for another app and stays valid for its own', async () => {
    const { codeFor, exchange, crm } = await withApp()
    const { client_id, client_secret } = await crm.operator.createApp(APP)
    const code = await codeFor()
    expect(await catchRejection(exchange(code, { client_id, client_secret }))).toEqual(BAD_CODE)
    expect(await exchange(code)).toHaveProperty('access_token')
  })

  test('requires the same redirect_uri if one is sent', async () => {
    const { codeFor, exchange } = await withApp()
    const code = await codeFor()
    for (const redirect_uri of [
      'https://app.example/other',
      'https://app.example/back',
      `${REDIRECT_URI}#`,
    ]) {
      expect(await catchRejection(exchange(code, { redirect_uri }))).toEqual({
        code: 'invalid_grant',
        message: 'The redirect_uri is not the one the code was sent to.',
      })
    }
    expect(await exchange(code, { redirect_uri: REDIRECT_URI })).toHaveProperty('access_token')
  })

  test('requested with a code challenge requires its verifier', async () => {
    const { codeFor, exchange } = await withApp()
    const code = await codeFor(PKCE)
    for (const parameters of [{}, { code_verifier: '' }])
      expect(await catchRejection(exchange(code, parameters))).toEqual(NO_VERIFIER)
    for (const code_verifier of [CHALLENGE, 'x'.repeat(43), `${VERIFIER}x`]) {
      expect(await catchRejection(exchange(code, { code_verifier }))).toEqual(BAD_VERIFIER)
    }
    expect(await exchange(code, { code_verifier: VERIFIER })).toHaveProperty('access_token')
  })

  test('requested without a code challenge rejects a verifier', async () => {
    const { codeFor, exchange } = await withApp()
    const code = await codeFor()
    expect(await catchRejection(exchange(code, { code_verifier: VERIFIER }))).toEqual(BAD_VERIFIER)
    expect(await exchange(code)).toHaveProperty('access_token')
  })

  test.each(['x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(43)}+`, `${'x'.repeat(43)} `])(
    'is not looked up if the verifier is malformed: %j',
    async (code_verifier) => {
      const { exchange } = await withApp()
      expect(await catchRejection(exchange('x', { code_verifier }))).toEqual({
        code: 'invalid_request',
        message: 'A parameter is invalid.',
        fields: { code_verifier: 'Must be 43 to 128 letters, digits, hyphens, dots, underscores or tildes.' },
      })
    },
  )

  test('is rejected if the user is no longer a member of the workspace', async () => {
    const { codeFor, exchange, storage, ann, grants } = await withApp()
    const code = await codeFor()
    await storage.transact(async (tx) => {
      const { members } = tx.workspace(ann.workspaceId)
      await members.update({ ...(await members.getForUpdate(ann.userId))!, removed_at: NOON })
    })
    expect(await catchRejection(exchange(code))).toEqual({
      code: 'invalid_grant',
      message: 'The user who approved is no member of the workspace any more.',
    })
    expect(await grants()).toEqual([])
  })
})

describe('a reused authorization code', () => {
  test('revokes the grant of its first use and logs a message', async () => {
    const { codeFor, exchange, refresh, readScopes, grants, clock, authorizationRequest } = await withApp()
    const code = await codeFor()
    const tokens = await exchange(code)
    const other = await exchange(await codeFor())
    clock.advance(60)
    await expect(exchange(code)).rejects.toMatchObject({
      ...BAD_CODE,
      logMessage: `A used code was presented again by app ${authorizationRequest.client_id}: the tokens of its first use are revoked.`,
    })
    expect(await readScopes(tokens.access_token)).toBeUndefined()
    expect(await catchRejection(refresh(tokens.refresh_token))).toHaveProperty('code', 'invalid_grant')
    expect(
      (await grants()).map(({ refresh_hash, revoked_at, updated_at }) => ({
        refresh_hash,
        revoked_at,
        updated_at,
      })),
    ).toEqual([
      { refresh_hash: null, revoked_at: '2026-03-01T12:01:00.000Z', updated_at: '2026-03-01T12:01:00.000Z' },
      { refresh_hash: secrets.hash(other.refresh_token), revoked_at: null, updated_at: NOON },
    ])
    expect(await readScopes(other.access_token)).toBeDefined()
    expect(await catchRejection(exchange(code))).toEqual(BAD_CODE)
  })

  test('revokes the grant also after ten minutes and after a refresh', async () => {
    const { codeFor, exchange, refresh, readScopes, clock } = await withApp()
    const code = await codeFor()
    const { refresh_token } = await exchange(code)
    clock.advance(1200)
    const refreshed = await refresh(refresh_token)
    expect(await catchRejection(exchange(code))).toEqual(BAD_CODE)
    expect(await readScopes(refreshed.access_token)).toBeUndefined()
  })

  test('revokes nothing if the client, redirect_uri or verifier is wrong', async () => {
    const { codeFor, exchange, readScopes, crm } = await withApp()
    const other = await crm.operator.createApp(APP)
    const code = await codeFor(PKCE)
    const { access_token } = await exchange(code, { code_verifier: VERIFIER })
    const invalidParameters = [
      { client_secret: 'wrong', code_verifier: VERIFIER },
      { client_id: other.client_id, client_secret: other.client_secret, code_verifier: VERIFIER },
      { redirect_uri: 'https://app.example/other', code_verifier: VERIFIER },
      { code_verifier: 'x'.repeat(43) },
      { code_verifier: 'x' },
      {},
    ]
    for (const parameters of invalidParameters) await catchRejection(exchange(code, parameters))
    await catchRejection(exchange(code.replace(/.{64}$/, '0'.repeat(64)), { code_verifier: VERIFIER }))
    expect(await readScopes(access_token)).toBeDefined()
  })

  test('issues tokens once for twenty concurrent requests', async () => {
    const { codeFor, exchange, grants } = await withApp()
    const code = await codeFor()
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => exchange(code)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject(BAD_CODE)
    expect(await grants()).toHaveLength(1)
  })
})
