import { describe, expect, test } from 'vitest'
import { ANN, catchRejection, NOON, secrets } from '../../../../test/harness.ts'
import { APP, withApp } from '../../../../test/oauth-harness.ts'

const DAY = 86_400
const BAD_TOKEN = {
  code: 'invalid_grant',
  message: 'The refresh token is invalid, has expired, or was replaced.',
}

async function withTokens() {
  const base = await withApp()
  return { ...base, tokens: await base.exchange(await base.codeFor()) }
}

describe('a refresh token', () => {
  test('issues a new token pair for the same grant', async () => {
    const { tokens, refresh, grants, readScopes, clock, ann, authorizationRequest } = await withTokens()
    const [original] = await grants()
    clock.advance(DAY)
    const next = await refresh(tokens.refresh_token)
    expect(next).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^crm_rt_[0-9a-f]{128}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      workspace_slug: 'acme',
    })
    expect(await grants()).toEqual([
      {
        id: original?.id,
        user_id: ann.userId,
        client_id: authorizationRequest.client_id,
        scopes: APP.scopes,
        audience: 'interface',
        refresh_hash: secrets.hash(next.refresh_token),
        family_hash: null,
        refresh_expires_at: '2026-05-01T12:00:00.000Z',
        revoked_at: null,
        created_at: NOON,
        updated_at: '2026-03-02T12:00:00.000Z',
      },
    ])
    expect(await readScopes(next.access_token)).toEqual(APP.scopes)
  })

  test('that was replaced is rejected with a message, and the grant stays valid', async () => {
    const { tokens, refresh, readScopes, grants, authorizationRequest } = await withTokens()
    const next = await refresh(tokens.refresh_token)
    const [grant] = await grants()
    for (let times = 0; times < 2; times += 1) {
      await expect(refresh(tokens.refresh_token)).rejects.toMatchObject({
        ...BAD_TOKEN,
        logMessage: `A refresh token of grant ${grant?.id} was presented that is not its present one, by app ${authorizationRequest.client_id}.`,
      })
    }
    expect(await readScopes(next.access_token)).toBeDefined()
    expect(await refresh(next.refresh_token)).toHaveProperty('access_token')
  })

  test('expires exactly sixty days after it was issued', async () => {
    const { tokens, refresh, clock } = await withTokens()
    clock.advance(59 * DAY)
    const second = await refresh(tokens.refresh_token)
    clock.advance(60 * DAY - 1)
    const third = await refresh(second.refresh_token)
    clock.advance(60 * DAY)
    await expect(refresh(third.refresh_token)).rejects.toMatchObject({ ...BAD_TOKEN, logMessage: undefined })
  })

  test('is rejected for another app and stays valid for its own', async () => {
    const { tokens, refresh, crm } = await withTokens()
    const { client_id, client_secret } = await crm.operator.createApp(APP)
    await expect(refresh(tokens.refresh_token, { client_id, client_secret })).rejects.toMatchObject({
      ...BAD_TOKEN,
      logMessage: undefined,
    })
    expect(await catchRejection(refresh(tokens.refresh_token, { client_secret: 'wrong' }))).toHaveProperty(
      'code',
      'invalid_client',
    )
    expect(await refresh(tokens.refresh_token)).toHaveProperty('access_token')
  })

  test('that was never issued is rejected', async () => {
    const { tokens, refresh, codeFor, otherOwner } = await withTokens()
    const token = tokens.refresh_token
    const forged = [
      'x',
      '\ud800',
      `${token}0`,
      ` ${token}`,
      token.toUpperCase(),
      token.replace('crm_rt_', ''),
      token.replace(/.{64}$/, '0'.repeat(64)),
      token.replace(/(?<=^crm_rt_).{32}/, otherOwner.workspaceId.replaceAll('-', '')),
      tokens.access_token,
      await codeFor(),
    ]
    for (const forgedToken of forged) expect(await catchRejection(refresh(forgedToken))).toEqual(BAD_TOKEN)
    expect(await refresh(token)).toHaveProperty('access_token')
  })

  test('is rejected after its grant was revoked or its member removed, or both', async () => {
    const { tokens, refresh, oauth, credentials, codeFor, exchange, crm, storage, ann } = await withTokens()
    const other = await exchange(await codeFor())
    await oauth.revoke({ token: tokens.access_token, ...credentials })
    await expect(refresh(tokens.refresh_token)).rejects.toMatchObject({ ...BAD_TOKEN, logMessage: undefined })
    await storage.transact(async (tx) => {
      const { members } = tx.workspace(ann.workspaceId)
      await members.update({ ...(await members.getForUpdate(ann.userId))!, removed_at: NOON })
    })
    expect(await catchRejection(refresh(other.refresh_token))).toEqual(BAD_TOKEN)
    await crm.operator.addMember({ workspace: 'acme', ...ANN, role: 'member' })
    const last = await refresh(other.refresh_token)
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    await crm.operator.addMember({ workspace: 'acme', ...ANN, role: 'member' })
    expect(await catchRejection(refresh(last.refresh_token))).toEqual(BAD_TOKEN)
  })

  test('may request fewer scopes for one access token', async () => {
    const { tokens, refresh, readScopes, grants } = await withTokens()
    const narrowed = await refresh(tokens.refresh_token, { scope: 'deals:read tasks:read' })
    expect(await readScopes(narrowed.access_token)).toEqual(['tasks:read', 'deals:read'])
    expect((await grants())[0]?.scopes).toEqual(APP.scopes)
    const full = await refresh(narrowed.refresh_token, { scope: '' })
    expect(await readScopes(full.access_token)).toEqual(APP.scopes)
  })

  test('rejects scopes beyond the grant, even if the app has them', async () => {
    const { codeFor, exchange, refresh } = await withApp()
    const { refresh_token } = await exchange(await codeFor({ scope: 'tasks:read' }))
    for (const scope of ['tasks:read people:read', 'deals:write', ' ']) {
      expect(await catchRejection(refresh(refresh_token, { scope }))).toEqual({
        code: 'invalid_request',
        message: 'A parameter is invalid.',
        fields: { scope: 'Must be scopes that were granted, separated by spaces.' },
      })
    }
    expect(await refresh(refresh_token)).toHaveProperty('access_token')
  })

  test('issues one pair for twenty concurrent uses', async () => {
    const { tokens, refresh, readScopes } = await withTokens()
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => refresh(tokens.refresh_token)))
    const issued = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(issued).toHaveLength(1)
    expect(await readScopes(issued[0]!.access_token)).toBeDefined()
    expect(await refresh(issued[0]!.refresh_token)).toHaveProperty('access_token')
  })

  test('issued by the operator works as well', async () => {
    const { crm, credentials, refresh } = await withApp()
    const tokens = await crm.operator.createToken({
      workspace: 'acme',
      client_id: credentials.client_id,
      user_email: ANN.email,
    })
    expect(await refresh(tokens.refresh_token)).toHaveProperty('workspace_slug', 'acme')
  })
})
