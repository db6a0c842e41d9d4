import { describe, expect, test } from 'vitest'
import { catchRejection, secrets, tokens, UNKNOWN_ID } from '../../../../test/harness.ts'
import { APP, withApp } from '../../../../test/oauth-harness.ts'

async function letIn() {
  const base = await withApp()
  const made = await base.exchange(await base.codeFor())
  return {
    ...base,
    made,
    revoke: (token: string, more = {}) => base.oauth.revoke({ token, ...base.credentials, ...more }),
  }
}

describe('revoking', () => {
  test('ends the grant of an access token at once, and no other', async () => {
    const { made, revoke, refresh, codeFor, exchange, scopesOf, grants, clock } = await letIn()
    const other = await exchange(await codeFor())
    clock.advance(60)
    await revoke(made.access_token)
    expect(await scopesOf(made.access_token)).toBeUndefined()
    expect(await catchRejection(refresh(made.refresh_token))).toHaveProperty('code', 'invalid_grant')
    const at = '2026-03-01T12:01:00.000Z'
    expect((await grants())[0]).toMatchObject({ revoked_at: at, refresh_hash: null, updated_at: at })
    expect(await scopesOf(other.access_token)).toBeDefined()
    expect(await refresh(other.refresh_token)).toHaveProperty('access_token')
  })

  test('ends it with a token that has expired, and whose key was replaced since', async () => {
    const { made, revoke, refresh, clock, crm, grants } = await letIn()
    const { refresh_token } = await refresh(made.refresh_token)
    await crm.operator.rotateKey()
    clock.advance(7200)
    await revoke(made.access_token)
    expect((await grants())[0]?.revoked_at).toBe('2026-03-01T14:00:00.000Z')
    expect(await catchRejection(refresh(refresh_token))).toHaveProperty('code', 'invalid_grant')
  })

  test('again changes nothing', async () => {
    const { made, revoke, grants, clock } = await letIn()
    await revoke(made.access_token)
    const before = await grants()
    clock.advance(60)
    await revoke(made.access_token)
    expect(await grants()).toEqual(before)
  })

  test('text that is no token of ours succeeds', async () => {
    const { made, revoke, scopesOf, storage, credentials } = await letIn()
    const [key] = await storage.read((tx) => tx.signing_keys.find([]))
    const secret = secrets.open(key!.sealed_secret, `signing key ${key!.id}`)
    const claims = JSON.parse(
      Buffer.from(made.access_token.split('.')[1]!, 'base64url').toString(),
    ) as Record<string, unknown>
    const signed = (changed: object) => tokens.sign({ ...claims, ...changed }, key!.id, secret)
    const others = [
      'x',
      'a.b.c',
      '\ud800',
      `${made.access_token}x`,
      tokens.sign(claims, key!.id, new Uint8Array(32)),
      tokens.sign(claims, 'nowhere', secret),
      signed({ iss: 'https://other.example' }),
      signed({ grant_id: UNKNOWN_ID }),
      signed({ workspace_id: UNKNOWN_ID }),
      signed({ grant_id: 'g' }),
      signed({ workspace_id: 'w' }),
      credentials.client_secret,
    ]
    for (const other of others) await revoke(other)
    expect(await scopesOf(made.access_token)).toBeDefined()
  })

  test('a refresh token, or what begins like one, is refused', async () => {
    const { made, revoke, refresh } = await letIn()
    for (const token of [made.refresh_token, 'crm_rt_', 'crm_rt_x']) {
      expect(await catchRejection(revoke(token))).toEqual({
        code: 'invalid_request',
        message: 'A refresh token cannot be revoked here.',
        fields: { token: 'Must be an access token.' },
      })
    }
    expect(await refresh(made.refresh_token)).toHaveProperty('access_token')
  })

  test('a token of another app is refused, expired or not, and ends nothing', async () => {
    const { made, revoke, crm, grants, clock } = await letIn()
    const { client_id, client_secret } = await crm.operator.createApp(APP)
    for (const seconds of [0, 3600]) {
      clock.advance(seconds)
      expect(await catchRejection(revoke(made.access_token, { client_id, client_secret }))).toEqual({
        code: 'invalid_request',
        message: 'The token belongs to another app.',
        fields: { token: 'Must be an access token of the client.' },
      })
    }
    expect((await grants())[0]?.revoked_at).toBeNull()
  })

  test('needs a token, and a client that is who it says', async () => {
    const { made, oauth, revoke, credentials, scopesOf } = await letIn()
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
    for (const token of [made.access_token, made.refresh_token, 'x']) {
      expect(await catchRejection(revoke(token, { client_secret: 'wrong' }))).toHaveProperty(
        'code',
        'invalid_client',
      )
      expect(await catchRejection(revoke(token, { client_id: UNKNOWN_ID }))).toHaveProperty(
        'code',
        'invalid_client',
      )
    }
    const both = oauth.revoke({ token: 'x', client_secret: 'x' }, credentials)
    expect(await catchRejection(both)).toHaveProperty('fields', {
      client_secret: 'Must not be sent beside HTTP Basic.',
    })
    expect(await scopesOf(made.access_token)).toBeDefined()
    await oauth.revoke({ token: made.access_token, token_type_hint: 'access_token' }, credentials)
    expect(await scopesOf(made.access_token)).toBeUndefined()
  })
})
