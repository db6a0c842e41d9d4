import { describe, expect, test } from 'vitest'
import { runTwenty } from '../../../../test/accounts.ts'
import { ANN, BEN, catchRejection, UNKNOWN_ID } from '../../../../test/harness.ts'
import { APP, buildVisitor, withApp } from '../../../../test/oauth-harness.ts'

const BAD_CODE = { code: 'invalid_grant', message: 'The code is invalid, has expired, or was used before.' }

/** Codes of two users, two workspaces and two apps. */
async function withCodes() {
  const base = await withApp()
  const { crm, oauth, credentials, ann, ben, otherOwner } = base
  await crm.operator.addMember({ workspace: 'other', ...ANN, role: 'member' })
  const { client_id, client_secret } = await crm.operator.createApp({ ...APP, name: 'Another' })
  const another = { client_id, client_secret }
  const codeBy = async (actor: typeof ann, person: typeof ANN, workspaceId: string, app: typeof another) => {
    const id = await oauth.beginAuthorization({ ...base.asked, client_id: app.client_id })
    return new URL(
      (await oauth.approve(buildVisitor(actor.userId, person), id, workspaceId))!,
    ).searchParams.get('code')!
  }
  return {
    ...base,
    another,
    codes: {
      anns: await codeBy(ann, ANN, ann.workspaceId, credentials),
      annsOfAnother: await codeBy(ann, ANN, ann.workspaceId, another),
      annsElsewhere: await codeBy(ann, ANN, otherOwner.workspaceId, credentials),
      bens: await codeBy(ben, BEN, ann.workspaceId, credentials),
    },
    disconnect: () =>
      crm.accounts.disconnectApp(base.visitor, {
        workspace_id: ann.workspaceId,
        client_id: credentials.client_id,
      }),
    leave: () => crm.operator.removeMember({ workspace: 'acme', email: ANN.email }),
    /** Does it while some of twenty codes are exchanged, and before others are. */
    async amidExchanges(work: () => Promise<unknown>) {
      const more = await runTwenty(() => base.codeFor())
      const exchanged = (some: readonly string[]) =>
        some.map((code) => base.exchange(code).catch(() => undefined))
      const early = exchanged(more.slice(0, 10))
      await early[0]
      await Promise.all([...early, ...exchanged(more.slice(10)), work()])
    },
    comeBack: () => crm.operator.addMember({ workspace: 'acme', ...ANN, role: 'member' }),
  }
}

describe('disconnecting an app', () => {
  test('makes worthless what the user approved for it in the workspace and was not exchanged yet, and nothing else', async () => {
    const { codes, another, codeFor, exchange, disconnect, crm, visitor } = await withCodes()
    await exchange(await codeFor())
    await disconnect()
    expect(await catchRejection(exchange(codes.anns))).toEqual(BAD_CODE)
    expect(await crm.accounts.connectedApps(visitor)).toEqual([])
    expect(await exchange(codes.annsOfAnother, another)).toHaveProperty('access_token')
    expect(await exchange(codes.annsElsewhere)).toHaveProperty('workspace_slug', 'other')
    expect(await exchange(codes.bens)).toHaveProperty('access_token')
  })

  test('that was never exchanged for is refused, and yet what was approved is worthless', async () => {
    const { codes, exchange, disconnect } = await withCodes()
    expect(await catchRejection(disconnect())).toEqual({ code: 'not_found', message: 'App not found.' })
    expect(await catchRejection(exchange(codes.anns))).toEqual(BAD_CODE)
  })

  test('keeps the codes that were exchanged, so that a second use is noticed', async () => {
    const { codes, exchange, disconnect, scopesOf, codeFor } = await withCodes()
    await exchange(codes.anns)
    await disconnect()
    const { access_token } = await exchange(await codeFor())
    await expect(exchange(codes.anns)).rejects.toMatchObject({
      ...BAD_CODE,
      notice: expect.stringContaining('A used code'),
    })
    expect(await scopesOf(access_token)).toBeDefined()
  })

  test('amid twenty exchanges leaves no grant', async () => {
    const { amidExchanges, disconnect, grants } = await withCodes()
    await amidExchanges(disconnect)
    expect((await grants()).filter(({ revoked_at }) => revoked_at === null)).toEqual([])
  })

  test('of ids that are none, or nobody’s, makes nothing worthless', async () => {
    const { codes, exchange, crm, visitor, ann, another } = await withCodes()
    const ids = [
      { workspace_id: UNKNOWN_ID, client_id: another.client_id },
      { workspace_id: ann.workspaceId, client_id: UNKNOWN_ID },
      { workspace_id: ann.workspaceId, client_id: '' },
    ]
    for (const each of ids) await catchRejection(crm.accounts.disconnectApp(visitor, each))
    expect(await exchange(codes.anns)).toHaveProperty('access_token')
    expect(await exchange(codes.annsOfAnother, another)).toHaveProperty('access_token')
  })
})

describe('leaving a workspace', () => {
  test('makes worthless what the user approved there for any app and was not exchanged yet, and nothing else', async () => {
    const { codes, another, exchange, leave, grants } = await withCodes()
    await leave()
    expect(await catchRejection(exchange(codes.anns))).toEqual(BAD_CODE)
    expect(await catchRejection(exchange(codes.annsOfAnother, another))).toEqual(BAD_CODE)
    expect(await grants()).toEqual([])
    expect(await exchange(codes.annsElsewhere)).toHaveProperty('workspace_slug', 'other')
    expect(await exchange(codes.bens)).toHaveProperty('access_token')
  })

  test('makes it worthless for good: whoever is added again must approve again', async () => {
    const { codes, exchange, leave, comeBack, codeFor, grants } = await withCodes()
    await leave()
    await comeBack()
    expect(await catchRejection(exchange(codes.anns))).toEqual(BAD_CODE)
    expect(await grants()).toEqual([])
    expect(await exchange(await codeFor())).toHaveProperty('access_token')
  })

  test('keeps the codes that were exchanged, so that a second use is noticed', async () => {
    const { codes, exchange, leave, comeBack } = await withCodes()
    await exchange(codes.anns)
    await leave()
    await comeBack()
    await expect(exchange(codes.anns)).rejects.toMatchObject({
      ...BAD_CODE,
      notice: expect.stringContaining('A used code'),
    })
  })

  test('amid twenty exchanges leaves no grant', async () => {
    const { amidExchanges, leave, grants } = await withCodes()
    await amidExchanges(leave)
    expect((await grants()).filter(({ revoked_at }) => revoked_at === null)).toEqual([])
  })
})
