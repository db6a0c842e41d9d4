import { describe, expect, test } from 'vitest'
import { runTwenty } from '../../../../test/accounts.ts'
import { ANN, catchRejection } from '../../../../test/harness.ts'
import { VERIFIER } from '../../../../test/oauth-harness.ts'
import { LOOPBACK, withPublicClient } from '../../../../test/public-client-harness.ts'

const BAD_TOKEN = {
  code: 'invalid_grant',
  message: 'The refresh token is invalid, has expired, or was replaced.',
}
const BAD_CODE = { code: 'invalid_grant', message: 'The code is invalid, has expired, or was used before.' }

async function withTokens() {
  const base = await withPublicClient()
  return { ...base, tokens: await base.exchange(await base.codeFor()) }
}

async function runConcurrently(work: () => Promise<unknown>) {
  const results = await Promise.allSettled(Array.from({ length: 20 }, work))
  return { successCount: results.filter(({ status }) => status === 'fulfilled').length, results }
}

describe('an authorization code of a public client', () => {
  test('requires the matching code_verifier', async () => {
    const { codeFor, exchange, grants } = await withPublicClient()
    const code = await codeFor()
    for (const code_verifier of ['', 'x'.repeat(43), `${VERIFIER}x`]) {
      expect(await catchRejection(exchange(code, { code_verifier }))).toHaveProperty('code', 'invalid_grant')
    }
    expect(await grants()).toEqual([])
    expect(await exchange(code)).toHaveProperty('access_token')
  })

  test('is rejected for another client and stays valid for its own', async () => {
    const { codeFor, exchange, publicClients } = await withPublicClient()
    const other = await publicClients.register({ redirect_uris: [LOOPBACK] })
    const code = await codeFor()
    expect(await catchRejection(exchange(code, { client_id: other.client_id }))).toEqual(BAD_CODE)
    expect(await exchange(code)).toHaveProperty('access_token')
  })

  test('revokes the grant of its first use when reused with the right verifier', async () => {
    const { codeFor, exchange, authenticateToken } = await withPublicClient()
    const code = await codeFor()
    const { access_token } = await exchange(code)
    await catchRejection(exchange(code, { code_verifier: 'x'.repeat(43) }))
    expect(await authenticateToken(access_token)).toBeDefined()
    expect(await catchRejection(exchange(code))).toEqual(BAD_CODE)
    expect(await authenticateToken(access_token)).toBeUndefined()
  })

  test('issues tokens once for twenty concurrent requests', async () => {
    const { codeFor, exchange, grants } = await withPublicClient()
    const code = await codeFor()
    expect((await runConcurrently(() => exchange(code))).successCount).toBe(1)
    expect(await grants()).toHaveLength(1)
  })
})

describe('a refresh token of a public client', () => {
  test('issues a new token pair of the same family on every use', async () => {
    const { tokens, refresh, authenticateToken, grants, clock } = await withTokens()
    let token = tokens.refresh_token
    for (let times = 0; times < 3; times += 1) {
      clock.advance(3600)
      const next = await refresh(token)
      expect(next.refresh_token.slice(-64)).toBe(token.slice(-64))
      expect(next.refresh_token.slice(0, -64)).not.toBe(token.slice(0, -64))
      expect(await authenticateToken(next.access_token)).toBeDefined()
      token = next.refresh_token
    }
    expect(await grants()).toMatchObject([{ revoked_at: null }])
  })

  test('that was replaced at any time revokes the grant and logs a message', async () => {
    const { tokens, refresh, authenticateToken, grants, client_id } = await withTokens()
    const second = await refresh(tokens.refresh_token)
    const third = await refresh(second.refresh_token)
    const [grant] = await grants()
    await expect(refresh(tokens.refresh_token)).rejects.toMatchObject({
      ...BAD_TOKEN,
      logMessage: `A replaced refresh token of grant ${grant?.id} was presented by public client ${client_id}: the grant is revoked.`,
    })
    expect(await authenticateToken(third.access_token)).toBeUndefined()
    expect(await catchRejection(refresh(third.refresh_token))).toEqual(BAD_TOKEN)
    expect(await grants()).toMatchObject([{ revoked_at: expect.any(String), refresh_hash: null }])
  })

  test('that was never issued is rejected and revokes nothing', async () => {
    const { tokens, refresh, authenticateToken, publicClients, otherOwner } = await withTokens()
    const token = tokens.refresh_token
    const next = await refresh(token)
    const forged = [
      'x',
      '\ud800',
      '',
      token.slice(0, -64),
      `${token}0`,
      token.replace(/.{64}$/, '0'.repeat(64)),
      next.refresh_token.replace(/.{128}$/, '0'.repeat(128)),
      token.toUpperCase(),
      token.replace(/(?<=^crm_rt_).{32}/, otherOwner.workspaceId.replaceAll('-', '')),
      tokens.access_token,
    ]
    for (const forgedToken of forged)
      expect((await catchRejection(refresh(forgedToken))).code).toMatch(/^invalid_(grant|request)$/)
    const other = await publicClients.register({ redirect_uris: [LOOPBACK] })
    expect(await catchRejection(refresh(token, { client_id: other.client_id }))).toEqual(BAD_TOKEN)
    expect(await authenticateToken(next.access_token)).toBeDefined()
    expect(await refresh(next.refresh_token)).toHaveProperty('access_token')
  })

  test('issues at most one pair for twenty concurrent uses and revokes the grant', async () => {
    const { tokens, refresh, grants } = await withTokens()
    const { successCount, results } = await runConcurrently(() => refresh(tokens.refresh_token))
    expect(successCount).toBe(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject(BAD_TOKEN)
    expect(await grants()).toMatchObject([{ revoked_at: expect.any(String) }])
  })

  test('may request fewer scopes but no more, and returns the scope', async () => {
    const { codeFor, exchange, refresh, authenticateToken } = await withPublicClient()
    const { refresh_token } = await exchange(await codeFor({ scope: 'people:read tasks:read' }))
    const narrowed = await refresh(refresh_token, { scope: 'tasks:read' })
    expect(narrowed.scope).toBe('tasks:read')
    expect([...(await authenticateToken(narrowed.access_token))!.scopes]).toEqual(['tasks:read'])
    await expect(refresh(narrowed.refresh_token, { scope: 'deals:read' })).rejects.toMatchObject({
      rfcCode: 'invalid_scope',
    })
    expect(await refresh(narrowed.refresh_token)).toHaveProperty('scope', 'people:read tasks:read')
  })

  test('is rejected after its user was removed from the workspace', async () => {
    const { tokens, refresh, crm, authenticateToken } = await withTokens()
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    expect(await authenticateToken(tokens.access_token)).toBeUndefined()
    expect(await catchRejection(refresh(tokens.refresh_token))).toEqual(BAD_TOKEN)
  })
})

describe('revocation by a public client', () => {
  test.each(['access', 'refresh', 'replaced'] as const)('revokes the grant of its %s token', async (kind) => {
    const { tokens, refresh, publicClients, client_id, authenticateToken } = await withTokens()
    const next = kind === 'replaced' ? await refresh(tokens.refresh_token) : tokens
    await publicClients.revoke({
      client_id,
      token: kind === 'access' ? tokens.access_token : tokens.refresh_token,
      token_type_hint: 'x',
    })
    expect(await authenticateToken(next.access_token)).toBeUndefined()
    expect(await catchRejection(refresh(next.refresh_token))).toEqual(BAD_TOKEN)
  })

  test('ignores an invalid token and rejects a token of another client', async () => {
    const { tokens, publicClients, client_id, authenticateToken, otherOwner } = await withTokens()
    const other = await publicClients.register({ redirect_uris: [LOOPBACK] })
    const foreign = tokens.refresh_token.replace(
      /(?<=^crm_rt_).{32}/,
      otherOwner.workspaceId.replaceAll('-', ''),
    )
    const forged = tokens.refresh_token.replace(/.{64}$/, '0'.repeat(64))
    for (const token of ['x', 'crm_rt_', '\ud800', foreign, forged])
      await publicClients.revoke({ client_id, token })
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(
        await catchRejection(publicClients.revoke({ client_id: other.client_id, token })),
      ).toHaveProperty('code', 'invalid_request')
      expect(await catchRejection(publicClients.revoke({ token }))).toMatchObject({
        fields: { client_id: 'Required.' },
      })
      expect(
        await catchRejection(publicClients.revoke({ client_id, client_secret: 'x', token })),
      ).toHaveProperty('code', 'invalid_client')
    }
    expect(await authenticateToken(tokens.access_token)).toBeDefined()
  })

  test('succeeds for twenty concurrent requests', async () => {
    const { tokens, publicClients, client_id, grants } = await withTokens()
    await runTwenty(() => publicClients.revoke({ client_id, token: tokens.refresh_token }))
    expect(await grants()).toMatchObject([{ revoked_at: expect.any(String) }])
  })
})
