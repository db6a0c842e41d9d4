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

async function letIn() {
  const base = await withPublicClient()
  return { ...base, first: await base.exchange(await base.codeFor()) }
}

async function settledOf(works: Promise<unknown>) {
  const all = (await works) as PromiseSettledResult<unknown>[]
  return { won: all.filter(({ status }) => status === 'fulfilled').length, all }
}

describe('a code of a program', () => {
  test('needs its verifier', async () => {
    const { codeFor, exchange, grants } = await withPublicClient()
    const code = await codeFor()
    for (const code_verifier of ['', 'x'.repeat(43), `${VERIFIER}x`]) {
      expect(await catchRejection(exchange(code, { code_verifier }))).toHaveProperty('code', 'invalid_grant')
    }
    expect(await grants()).toEqual([])
    expect(await exchange(code)).toHaveProperty('access_token')
  })

  test('is of no use to another program, and stays good for its own', async () => {
    const { codeFor, exchange, programs } = await withPublicClient()
    const other = await programs.register({ redirect_uris: [LOOPBACK] })
    const code = await codeFor()
    expect(await catchRejection(exchange(code, { client_id: other.client_id }))).toEqual(BAD_CODE)
    expect(await exchange(code)).toHaveProperty('access_token')
  })

  test('that is used again ends the grant of its first use, unless the verifier is wrong', async () => {
    const { codeFor, exchange, authenticateToken } = await withPublicClient()
    const code = await codeFor()
    const { access_token } = await exchange(code)
    await catchRejection(exchange(code, { code_verifier: 'x'.repeat(43) }))
    expect(await authenticateToken(access_token)).toBeDefined()
    expect(await catchRejection(exchange(code))).toEqual(BAD_CODE)
    expect(await authenticateToken(access_token)).toBeUndefined()
  })

  test('gives tokens once, even when twenty use it', async () => {
    const { codeFor, exchange, grants } = await withPublicClient()
    const code = await codeFor()
    expect((await settledOf(Promise.allSettled(Array.from({ length: 20 }, () => exchange(code))))).won).toBe(
      1,
    )
    expect(await grants()).toHaveLength(1)
  })
})

describe('a refresh token of a program', () => {
  test('gives another pair of the same family, again and again', async () => {
    const { first, refresh, authenticateToken, grants, clock } = await letIn()
    let token = first.refresh_token
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

  test('that was replaced ends the grant, however long ago, and the operator hears of it', async () => {
    const { first, refresh, authenticateToken, grants, client_id } = await letIn()
    const second = await refresh(first.refresh_token)
    const third = await refresh(second.refresh_token)
    const [grant] = await grants()
    await expect(refresh(first.refresh_token)).rejects.toMatchObject({
      ...BAD_TOKEN,
      notice: `A replaced refresh token of grant ${grant?.id} was presented by program ${client_id}: the grant is revoked.`,
    })
    expect(await authenticateToken(third.access_token)).toBeUndefined()
    expect(await catchRejection(refresh(third.refresh_token))).toEqual(BAD_TOKEN)
    expect(await grants()).toMatchObject([{ revoked_at: expect.any(String), refresh_hash: null }])
  })

  test('that never was ends nothing, whatever it names', async () => {
    const { first, refresh, authenticateToken, programs, otherOwner } = await letIn()
    const token = first.refresh_token
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
      first.access_token,
    ]
    for (const each of forged)
      expect((await catchRejection(refresh(each))).code).toMatch(/^invalid_(grant|request)$/)
    const other = await programs.register({ redirect_uris: [LOOPBACK] })
    expect(await catchRejection(refresh(token, { client_id: other.client_id }))).toEqual(BAD_TOKEN)
    expect(await authenticateToken(next.access_token)).toBeDefined()
    expect(await refresh(next.refresh_token)).toHaveProperty('access_token')
  })

  test('gives one pair at most when twenty use it, and that one is worth nothing either', async () => {
    const { first, refresh, grants } = await letIn()
    const { won, all } = await settledOf(
      Promise.allSettled(Array.from({ length: 20 }, () => refresh(first.refresh_token))),
    )
    expect(won).toBe(1)
    for (const each of all) if (each.status === 'rejected') expect(each.reason).toMatchObject(BAD_TOKEN)
    expect(await grants()).toMatchObject([{ revoked_at: expect.any(String) }])
  })

  test('may be used for fewer scopes, never for more, and names them', async () => {
    const { codeFor, exchange, refresh, authenticateToken } = await withPublicClient()
    const { refresh_token } = await exchange(await codeFor({ scope: 'people:read tasks:read' }))
    const fewer = await refresh(refresh_token, { scope: 'tasks:read' })
    expect(fewer.scope).toBe('tasks:read')
    expect([...(await authenticateToken(fewer.access_token))!.scopes]).toEqual(['tasks:read'])
    await expect(refresh(fewer.refresh_token, { scope: 'deals:read' })).rejects.toMatchObject({
      rfcCode: 'invalid_scope',
    })
    expect(await refresh(fewer.refresh_token)).toHaveProperty('scope', 'people:read tasks:read')
  })

  test('is worth nothing once its user is removed', async () => {
    const { first, refresh, crm, authenticateToken } = await letIn()
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    expect(await authenticateToken(first.access_token)).toBeUndefined()
    expect(await catchRejection(refresh(first.refresh_token))).toEqual(BAD_TOKEN)
  })
})

describe('revoking by a program', () => {
  test.each(['access_token', 'refresh_token', 'replaced'] as const)(
    'ends the grant of its %s',
    async (kind) => {
      const { first, refresh, programs, client_id, authenticateToken } = await letIn()
      const next = kind === 'replaced' ? await refresh(first.refresh_token) : first
      await programs.revoke({
        client_id,
        token: kind === 'replaced' ? first.refresh_token : first[kind],
        token_type_hint: 'x',
      })
      expect(await authenticateToken(next.access_token)).toBeUndefined()
      expect(await catchRejection(refresh(next.refresh_token))).toEqual(BAD_TOKEN)
    },
  )

  test('does nothing for what is no token, and refuses that of another', async () => {
    const { first, programs, client_id, authenticateToken, otherOwner } = await letIn()
    const other = await programs.register({ redirect_uris: [LOOPBACK] })
    const foreign = first.refresh_token.replace(
      /(?<=^crm_rt_).{32}/,
      otherOwner.workspaceId.replaceAll('-', ''),
    )
    const forged = first.refresh_token.replace(/.{64}$/, '0'.repeat(64))
    for (const token of ['x', 'crm_rt_', '\ud800', foreign, forged])
      await programs.revoke({ client_id, token })
    for (const token of [first.access_token, first.refresh_token]) {
      expect(await catchRejection(programs.revoke({ client_id: other.client_id, token }))).toHaveProperty(
        'code',
        'invalid_request',
      )
      expect(await catchRejection(programs.revoke({ token }))).toMatchObject({
        fields: { client_id: 'Required.' },
      })
      expect(await catchRejection(programs.revoke({ client_id, client_secret: 'x', token }))).toHaveProperty(
        'code',
        'invalid_client',
      )
    }
    expect(await authenticateToken(first.access_token)).toBeDefined()
  })

  test('is done once, even when twenty ask', async () => {
    const { first, programs, client_id, grants } = await letIn()
    await runTwenty(() => programs.revoke({ client_id, token: first.refresh_token }))
    expect(await grants()).toMatchObject([{ revoked_at: expect.any(String) }])
  })
})
