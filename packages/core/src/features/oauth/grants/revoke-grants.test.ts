import { describe, expect, test } from 'vitest'
import { runTwenty } from '../../../../test/accounts.ts'
import { ANN, BEN, catchRejection, UNKNOWN_ID } from '../../../../test/harness.ts'
import { APP, buildUserSession, withApp } from '../../../../test/oauth-harness.ts'

const BAD_CODE = { code: 'invalid_grant', message: 'The code is invalid, has expired, or was used before.' }

/** Codes of two users, two workspaces and two apps. */
async function withCodes() {
  const base = await withApp()
  const { crm, oauth, credentials, ann, ben, otherOwner } = base
  await crm.operator.addMember({ workspace: 'other', ...ANN, role: 'member' })
  const { client_id, client_secret } = await crm.operator.createApp({ ...APP, name: 'Another' })
  const otherApp = { client_id, client_secret }
  const approveCode = async (
    actor: typeof ann,
    person: typeof ANN,
    workspaceId: string,
    app: typeof otherApp,
  ) => {
    const id = await oauth.beginAuthorization({ ...base.authorizationRequest, client_id: app.client_id })
    return new URL(
      (await oauth.approve(buildUserSession(actor.userId, person), id, workspaceId))!,
    ).searchParams.get('code')!
  }
  return {
    ...base,
    otherApp,
    codes: {
      ann: await approveCode(ann, ANN, ann.workspaceId, credentials),
      annOtherApp: await approveCode(ann, ANN, ann.workspaceId, otherApp),
      annOtherWorkspace: await approveCode(ann, ANN, otherOwner.workspaceId, credentials),
      ben: await approveCode(ben, BEN, ann.workspaceId, credentials),
    },
    disconnect: () =>
      crm.accounts.disconnectApp(base.userSession, {
        workspace_id: ann.workspaceId,
        client_id: credentials.client_id,
      }),
    leave: () => crm.operator.removeMember({ workspace: 'acme', email: ANN.email }),
    /**
     * Runs `work` concurrently with the exchange of twenty codes: it starts after the first exchange is done.
     */
    async runDuringExchanges(work: () => Promise<unknown>) {
      const moreCodes = await runTwenty(() => base.codeFor())
      const startExchanges = (batch: readonly string[]) =>
        batch.map((code) => base.exchange(code).catch(() => undefined))
      const early = startExchanges(moreCodes.slice(0, 10))
      await early[0]
      await Promise.all([...early, ...startExchanges(moreCodes.slice(10)), work()])
    },
    rejoin: () => crm.operator.addMember({ workspace: 'acme', ...ANN, role: 'member' }),
  }
}

describe('disconnecting an app', () => {
  test('invalidates only the unexchanged codes of the app by the user in the workspace', async () => {
    const { codes, otherApp, codeFor, exchange, disconnect, crm, userSession } = await withCodes()
    await exchange(await codeFor())
    await disconnect()
    expect(await catchRejection(exchange(codes.ann))).toEqual(BAD_CODE)
    expect(await crm.accounts.connectedApps(userSession)).toEqual([])
    expect(await exchange(codes.annOtherApp, otherApp)).toHaveProperty('access_token')
    expect(await exchange(codes.annOtherWorkspace)).toHaveProperty('workspace_slug', 'other')
    expect(await exchange(codes.ben)).toHaveProperty('access_token')
  })

  test('returns not_found for an app without a grant, but invalidates its pending codes', async () => {
    const { codes, exchange, disconnect } = await withCodes()
    expect(await catchRejection(disconnect())).toEqual({ code: 'not_found', message: 'App not found.' })
    expect(await catchRejection(exchange(codes.ann))).toEqual(BAD_CODE)
  })

  test('keeps exchanged codes, so that reuse is detected', async () => {
    const { codes, exchange, disconnect, readScopes, codeFor } = await withCodes()
    await exchange(codes.ann)
    await disconnect()
    const { access_token } = await exchange(await codeFor())
    await expect(exchange(codes.ann)).rejects.toMatchObject({
      ...BAD_CODE,
      logMessage: expect.stringContaining('A used code'),
    })
    expect(await readScopes(access_token)).toBeDefined()
  })

  test('during twenty concurrent exchanges leaves no grant', async () => {
    const { runDuringExchanges, disconnect, grants } = await withCodes()
    await runDuringExchanges(disconnect)
    expect((await grants()).filter(({ revoked_at }) => revoked_at === null)).toEqual([])
  })

  test('with unknown or malformed ids invalidates nothing', async () => {
    const { codes, exchange, crm, userSession, ann, otherApp } = await withCodes()
    const ids = [
      { workspace_id: UNKNOWN_ID, client_id: otherApp.client_id },
      { workspace_id: ann.workspaceId, client_id: UNKNOWN_ID },
      { workspace_id: ann.workspaceId, client_id: '' },
    ]
    for (const input of ids) await catchRejection(crm.accounts.disconnectApp(userSession, input))
    expect(await exchange(codes.ann)).toHaveProperty('access_token')
    expect(await exchange(codes.annOtherApp, otherApp)).toHaveProperty('access_token')
  })
})

describe('leaving a workspace', () => {
  test('invalidates the unexchanged codes of the user there for every app, and no others', async () => {
    const { codes, otherApp, exchange, leave, grants } = await withCodes()
    await leave()
    expect(await catchRejection(exchange(codes.ann))).toEqual(BAD_CODE)
    expect(await catchRejection(exchange(codes.annOtherApp, otherApp))).toEqual(BAD_CODE)
    expect(await grants()).toEqual([])
    expect(await exchange(codes.annOtherWorkspace)).toHaveProperty('workspace_slug', 'other')
    expect(await exchange(codes.ben)).toHaveProperty('access_token')
  })

  test('invalidates codes permanently, also after the user is added again', async () => {
    const { codes, exchange, leave, rejoin, codeFor, grants } = await withCodes()
    await leave()
    await rejoin()
    expect(await catchRejection(exchange(codes.ann))).toEqual(BAD_CODE)
    expect(await grants()).toEqual([])
    expect(await exchange(await codeFor())).toHaveProperty('access_token')
  })

  test('keeps exchanged codes, so that reuse is detected', async () => {
    const { codes, exchange, leave, rejoin } = await withCodes()
    await exchange(codes.ann)
    await leave()
    await rejoin()
    await expect(exchange(codes.ann)).rejects.toMatchObject({
      ...BAD_CODE,
      logMessage: expect.stringContaining('A used code'),
    })
  })

  test('during twenty concurrent exchanges leaves no grant', async () => {
    const { runDuringExchanges, leave, grants } = await withCodes()
    await runDuringExchanges(leave)
    expect((await grants()).filter(({ revoked_at }) => revoked_at === null)).toEqual([])
  })
})
