import { describe, expect, test } from 'vitest'
import { catchRejection, secrets, tokens, UNKNOWN_ID } from '../../../../test/harness.ts'
import { APP, withApp } from '../../../../test/oauth-harness.ts'

async function withTokens() {
  const base = await withApp()
  const issued = await base.exchange(await base.codeFor())
  return {
    ...base,
    issued,
    revoke: (token: string, more = {}) => base.oauth.revoke({ token, ...base.credentials, ...more }),
  }
}

describe('token revocation', () => {
  test('revokes only the grant of the access token', async () => {
    const { issued, revoke, refresh, codeFor, exchange, readScopes, grants, clock } = await withTokens()
    const other = await exchange(await codeFor())
    clock.advance(60)
    await revoke(issued.access_token)
    expect(await readScopes(issued.access_token)).toBeUndefined()
    expect(await catchRejection(refresh(issued.refresh_token))).toHaveProperty('code', 'invalid_grant')
    const at = '2026-03-01T12:01:00.000Z'
    expect((await grants())[0]).toMatchObject({ revoked_at: at, refresh_hash: null, updated_at: at })
    expect(await readScopes(other.access_token)).toBeDefined()
    expect(await refresh(other.refresh_token)).toHaveProperty('access_token')
  })

  test('accepts an expired token whose signing key was replaced', async () => {
    const { issued, revoke, refresh, clock, crm, grants } = await withTokens()
    const { refresh_token } = await refresh(issued.refresh_token)
    await crm.operator.rotateKey()
    clock.advance(7200)
    await revoke(issued.access_token)
    expect((await grants())[0]?.revoked_at).toBe('2026-03-01T14:00:00.000Z')
    expect(await catchRejection(refresh(refresh_token))).toHaveProperty('code', 'invalid_grant')
  })

  test('is idempotent', async () => {
    const { issued, revoke, grants, clock } = await withTokens()
    await revoke(issued.access_token)
    const grantsBefore = await grants()
    clock.advance(60)
    await revoke(issued.access_token)
    expect(await grants()).toEqual(grantsBefore)
  })

  test('succeeds without effect for a text that is not a token of this service', async () => {
    const { issued, revoke, readScopes, storage, credentials } = await withTokens()
    const [key] = await storage.read((tx) => tx.signing_keys.find([]))
    const secret = secrets.open(key!.sealed_secret, `signing key ${key!.id}`)
    const claims = JSON.parse(
      Buffer.from(issued.access_token.split('.')[1]!, 'base64url').toString(),
    ) as Record<string, unknown>
    const signChanged = (changed: object) => tokens.sign({ ...claims, ...changed }, key!.id, secret)
    const invalidTokens = [
      'x',
      'a.b.c',
      '\ud800',
      `${issued.access_token}x`,
      tokens.sign(claims, key!.id, new Uint8Array(32)),
      tokens.sign(claims, 'nowhere', secret),
      signChanged({ iss: 'https://other.example' }),
      signChanged({ grant_id: UNKNOWN_ID }),
      signChanged({ workspace_id: UNKNOWN_ID }),
      signChanged({ grant_id: 'g' }),
      signChanged({ workspace_id: 'w' }),
      credentials.client_secret,
    ]
    for (const token of invalidTokens) await revoke(token)
    expect(await readScopes(issued.access_token)).toBeDefined()
  })

  test('rejects a refresh token or a text with its prefix', async () => {
    const { issued, revoke, refresh } = await withTokens()
    for (const token of [issued.refresh_token, 'crm_rt_', 'crm_rt_x']) {
      expect(await catchRejection(revoke(token))).toEqual({
        code: 'invalid_request',
        message: 'A refresh token cannot be revoked here.',
        fields: { token: 'Must be an access token.' },
      })
    }
    expect(await refresh(issued.refresh_token)).toHaveProperty('access_token')
  })

  test('rejects a token of another app, expired or not, and revokes nothing', async () => {
    const { issued, revoke, crm, grants, clock } = await withTokens()
    const { client_id, client_secret } = await crm.operator.createApp(APP)
    for (const seconds of [0, 3600]) {
      clock.advance(seconds)
      expect(await catchRejection(revoke(issued.access_token, { client_id, client_secret }))).toEqual({
        code: 'invalid_request',
        message: 'The token belongs to another app.',
        fields: { token: 'Must be an access token of the client.' },
      })
    }
    expect((await grants())[0]?.revoked_at).toBeNull()
  })

  test('requires a token and valid client credentials', async () => {
    const { issued, oauth, revoke, credentials, readScopes } = await withTokens()
    const required = 'Required.'
    expect(await catchRejection(oauth.revoke({}))).toEqual({
      code: 'invalid_request',
      message: 'A required parameter is missing.',
      fields: { token: required, client_id: required, client_secret: required },
    })
    expect(await catchRejection(oauth.revoke({ token: '' }, credentials))).toHaveProperty('fields', {
      token: required,
    })
    expect(await catchRejection(oauth.revoke({ ...credentials, token: ['a', 'a'] }))).toHaveProperty(
      'fields',
      {
        token: 'Must be sent only once.',
      },
    )
    for (const token of [issued.access_token, issued.refresh_token, 'x']) {
      expect(await catchRejection(revoke(token, { client_secret: 'wrong' }))).toHaveProperty(
        'code',
        'invalid_client',
      )
      expect(await catchRejection(revoke(token, { client_id: UNKNOWN_ID }))).toHaveProperty(
        'code',
        'invalid_client',
      )
    }
    const revocation = oauth.revoke({ token: 'x', client_secret: 'x' }, credentials)
    expect(await catchRejection(revocation)).toHaveProperty('fields', {
      client_secret: 'Must not be sent beside HTTP Basic.',
    })
    expect(await readScopes(issued.access_token)).toBeDefined()
    await oauth.revoke({ token: issued.access_token, token_type_hint: 'access_token' }, credentials)
    expect(await readScopes(issued.access_token)).toBeUndefined()
  })
})
