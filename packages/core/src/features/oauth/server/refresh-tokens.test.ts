import { describe, expect, test } from 'vitest'
import { ANN, catchRejection, NOON, secrets } from '../../../../test/harness.ts'
import { APP, withApp } from '../../../../test/oauth-harness.ts'

const DAY = 86_400
const BAD_TOKEN = {
  code: 'invalid_grant',
  message: 'The refresh token is invalid, has expired, or was replaced.',
}

async function letIn() {
  const base = await withApp()
  return { ...base, first: await base.exchange(await base.codeFor()) }
}

describe('a refresh token', () => {
  test('gives another pair, for the same grant', async () => {
    const { first, refresh, grants, scopesOf, clock, ann, asked } = await letIn()
    const [before] = await grants()
    clock.advance(DAY)
    const next = await refresh(first.refresh_token)
    expect(next).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^crm_rt_[0-9a-f]{128}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      workspace_slug: 'acme',
    })
    expect(await grants()).toEqual([
      {
        id: before?.id,
        user_id: ann.userId,
        client_id: asked.client_id,
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
    expect(await scopesOf(next.access_token)).toEqual(APP.scopes)
  })

  test('that was replaced is refused and noticed, and the grant lives on', async () => {
    const { first, refresh, scopesOf, grants, asked } = await letIn()
    const next = await refresh(first.refresh_token)
    const [grant] = await grants()
    for (let times = 0; times < 2; times += 1) {
      await expect(refresh(first.refresh_token)).rejects.toMatchObject({
        ...BAD_TOKEN,
        notice: `A refresh token of grant ${grant?.id} was presented that is not its present one, by app ${asked.client_id}.`,
      })
    }
    expect(await scopesOf(next.access_token)).toBeDefined()
    expect(await refresh(next.refresh_token)).toHaveProperty('access_token')
  })

  test('lasts sixty days from its last use, and not an instant longer', async () => {
    const { first, refresh, clock } = await letIn()
    clock.advance(59 * DAY)
    const second = await refresh(first.refresh_token)
    clock.advance(60 * DAY - 1)
    const third = await refresh(second.refresh_token)
    clock.advance(60 * DAY)
    await expect(refresh(third.refresh_token)).rejects.toMatchObject({ ...BAD_TOKEN, notice: undefined })
  })

  test('of another app is refused, and goes unharmed', async () => {
    const { first, refresh, crm } = await letIn()
    const { client_id, client_secret } = await crm.operator.createApp(APP)
    await expect(refresh(first.refresh_token, { client_id, client_secret })).rejects.toMatchObject({
      ...BAD_TOKEN,
      notice: undefined,
    })
    expect(await catchRejection(refresh(first.refresh_token, { client_secret: 'wrong' }))).toHaveProperty(
      'code',
      'invalid_client',
    )
    expect(await refresh(first.refresh_token)).toHaveProperty('access_token')
  })

  test('that nobody was given is refused', async () => {
    const { first, refresh, codeFor, otherOwner } = await letIn()
    const token = first.refresh_token
    const others = [
      'x',
      '\ud800',
      `${token}0`,
      ` ${token}`,
      token.toUpperCase(),
      token.replace('crm_rt_', ''),
      token.replace(/.{64}$/, '0'.repeat(64)),
      token.replace(/(?<=^crm_rt_).{32}/, otherOwner.workspaceId.replaceAll('-', '')),
      first.access_token,
      await codeFor(),
    ]
    for (const other of others) expect(await catchRejection(refresh(other))).toEqual(BAD_TOKEN)
    expect(await refresh(token)).toHaveProperty('access_token')
  })

  test('is of no use once its grant is revoked, its member gone or both', async () => {
    const { first, refresh, oauth, credentials, codeFor, exchange, crm, storage, ann } = await letIn()
    const other = await exchange(await codeFor())
    await oauth.revoke({ token: first.access_token, ...credentials })
    await expect(refresh(first.refresh_token)).rejects.toMatchObject({ ...BAD_TOKEN, notice: undefined })
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

  test('may be used for fewer scopes, this once', async () => {
    const { first, refresh, scopesOf, grants } = await letIn()
    const fewer = await refresh(first.refresh_token, { scope: 'deals:read tasks:read' })
    expect(await scopesOf(fewer.access_token)).toEqual(['tasks:read', 'deals:read'])
    expect((await grants())[0]?.scopes).toEqual(APP.scopes)
    const all = await refresh(fewer.refresh_token, { scope: '' })
    expect(await scopesOf(all.access_token)).toEqual(APP.scopes)
  })

  test('never gives more than was granted, even where the app has more', async () => {
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

  test('gives one pair, even when twenty use it', async () => {
    const { first, refresh, scopesOf } = await letIn()
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => refresh(first.refresh_token)))
    const won = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(won).toHaveLength(1)
    expect(await scopesOf(won[0]!.access_token)).toBeDefined()
    expect(await refresh(won[0]!.refresh_token)).toHaveProperty('access_token')
  })

  test('of the operator is as good', async () => {
    const { crm, credentials, refresh } = await withApp()
    const made = await crm.operator.createToken({
      workspace: 'acme',
      client_id: credentials.client_id,
      user_email: ANN.email,
    })
    expect(await refresh(made.refresh_token)).toHaveProperty('workspace_slug', 'acme')
  })
})
