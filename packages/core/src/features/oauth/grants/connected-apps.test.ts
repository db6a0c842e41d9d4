import { describe, expect, test } from 'vitest'
import { signInTestUser } from '../../../../test/accounts.ts'
import { ANN, BEN, catchRejection, createTestCrm, NOON, UNKNOWN_ID } from '../../../../test/harness.ts'

const APP_NOT_FOUND = { code: 'not_found', message: 'App not found.' }

async function withApps() {
  const base = await createTestCrm()
  const { crm } = base
  const createApp = async (name: string) => {
    const uris = {
      redirect_uris: ['https://app.example/'],
      scopes: ['tasks:read', 'people:read', 'people:write'],
    }
    return (await crm.operator.createApp({ name, email: 'dev@app.example', ...uris })).client_id
  }
  const [appOne, appTwo] = [await createApp('One'), await createApp('Two')]
  await crm.operator.addMember({ workspace: 'other', ...ANN, role: 'member' })
  const approve = (workspace: string, client_id: string, scopes: string[], user_email = ANN.email) =>
    crm.operator.createToken({ workspace, client_id, user_email, scopes })
  const { userSession } = await signInTestUser(base, ANN.email)
  return { ...base, accounts: crm.accounts, appOne, appTwo, approve, userSession }
}

describe('connected apps', () => {
  test('are all disconnected at once, and those of other users stay', async () => {
    const { accounts, appOne, appTwo, approve, userSession, crm, ports, ben } = await withApps()
    await approve('acme', appOne, ['tasks:read'])
    await approve('acme', appTwo, ['tasks:read'])
    await approve('other', appTwo, ['tasks:read'])
    await approve('acme', appTwo, ['tasks:read'], BEN.email)
    await Promise.all([accounts.disconnectAllApps(userSession), accounts.disconnectAllApps(userSession)])
    expect(await accounts.connectedApps(userSession)).toEqual([])
    const benUserSession = (await signInTestUser({ crm, storage: ports.storage }, BEN.email)).userSession
    expect(benUserSession.user.id).toBe(ben.userId)
    expect(await accounts.connectedApps(benUserSession)).toHaveLength(1)
    await accounts.disconnectAllApps(userSession)
  })

  test('are listed per workspace, the most recently used first', async () => {
    const { accounts, appOne, appTwo, approve, userSession, ann, otherOwner, clock } = await withApps()
    await approve('acme', appOne, ['people:read', 'tasks:read'])
    clock.advance(60)
    await approve('acme', appOne, ['tasks:read', 'people:write'])
    clock.advance(60)
    await approve('other', appTwo, ['tasks:read'])
    await approve('acme', appTwo, ['tasks:read'], BEN.email)
    expect(await accounts.connectedApps(userSession)).toEqual([
      {
        client_id: appTwo,
        app_name: 'Two',
        workspace: { id: otherOwner.workspaceId, name: 'Other' },
        scopes: ['tasks:read'],
        created_at: '2026-03-01T12:02:00.000Z',
        last_used_at: '2026-03-01T12:02:00.000Z',
      },
      {
        client_id: appOne,
        app_name: 'One',
        workspace: { id: ann.workspaceId, name: 'Acme' },
        scopes: ['people:read', 'tasks:read', 'people:write'],
        created_at: NOON,
        last_used_at: '2026-03-01T12:01:00.000Z',
      },
    ])
  })

  test('are listed until their refresh token expires', async () => {
    const { accounts, appOne, approve, userSession, clock } = await withApps()
    await approve('acme', appOne, ['tasks:read'])
    clock.advance(60 * 86_400 - 0.001)
    expect((await accounts.connectedApps(userSession)).map(({ app_name }) => app_name)).toEqual(['One'])
    clock.advance(0.001)
    expect(await accounts.connectedApps(userSession)).toEqual([])
  })

  test('are removed with the membership', async () => {
    const { crm, accounts, appOne, approve, userSession } = await withApps()
    await approve('acme', appOne, ['tasks:read'])
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    expect(await accounts.connectedApps(userSession)).toEqual([])
    expect((await accounts.workspaces(userSession)).map(({ slug, role }) => [slug, role])).toEqual([
      ['other', 'member'],
    ])
  })
})

describe('disconnecting an app', () => {
  test('revokes only the grants of the app by the user in the workspace', async () => {
    const { accounts, storage, appOne, appTwo, approve, userSession, ann, otherOwner, clock } =
      await withApps()
    await approve('acme', appOne, ['tasks:read'])
    await approve('acme', appOne, ['people:read'])
    await approve('acme', appTwo, ['tasks:read'])
    await approve('other', appOne, ['tasks:read'])
    await approve('acme', appOne, ['tasks:read'], BEN.email)
    clock.advance(60)
    const input = { workspace_id: ann.workspaceId.toUpperCase(), client_id: appOne.toUpperCase() }
    await accounts.disconnectApp(userSession, input)
    const findGrants = (workspaceId: string) =>
      storage.read((tx) => tx.workspace(workspaceId).grants.find([]))
    const at = '2026-03-01T12:01:00.000Z'
    const revoked = {
      user_id: ann.userId,
      client_id: appOne,
      revoked_at: at,
      updated_at: at,
      refresh_hash: null,
    }
    const live = { revoked_at: null, updated_at: NOON, refresh_hash: expect.any(String) }
    expect(await findGrants(ann.workspaceId)).toMatchObject([
      revoked,
      revoked,
      { ...live, client_id: appTwo },
      { ...live, client_id: appOne },
    ])
    expect(await findGrants(otherOwner.workspaceId)).toMatchObject([live])
    expect(await catchRejection(accounts.disconnectApp(userSession, input))).toEqual(APP_NOT_FOUND)
  })

  test('returns not_found for an app the user has not approved in the workspace', async () => {
    const { accounts, appOne, appTwo, approve, userSession, ann, otherOwner } = await withApps()
    await approve('acme', appOne, ['tasks:read'], BEN.email)
    await approve('acme', appTwo, ['tasks:read'])
    const inputs = [
      { workspace_id: ann.workspaceId, client_id: appOne },
      { workspace_id: otherOwner.workspaceId, client_id: appTwo },
      { workspace_id: UNKNOWN_ID, client_id: appTwo },
      { workspace_id: ann.workspaceId, client_id: 'x\0' },
      { workspace_id: '', client_id: appTwo },
    ]
    for (const input of inputs)
      expect(await catchRejection(accounts.disconnectApp(userSession, input))).toEqual(APP_NOT_FOUND)
    expect(await accounts.connectedApps(userSession)).toHaveLength(1)
  })
})
