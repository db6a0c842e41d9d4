import { describe, expect, test } from 'vitest'
import { signInTestUser } from '../../../../test/accounts.ts'
import { ANN, BEN, catchRejection, createTestCrm, NOON, UNKNOWN_ID } from '../../../../test/harness.ts'

const MISSING = { code: 'not_found', message: 'App not found.' }

async function withApps() {
  const base = await createTestCrm()
  const { crm } = base
  const made = async (name: string) => {
    const uris = {
      redirect_uris: ['https://app.example/'],
      scopes: ['tasks:read', 'people:read', 'people:write'],
    }
    return (await crm.operator.createApp({ name, email: 'dev@app.example', ...uris })).client_id
  }
  const [one, two] = [await made('One'), await made('Two')]
  await crm.operator.addMember({ workspace: 'other', ...ANN, role: 'member' })
  const approve = (workspace: string, client_id: string, scopes: string[], user_email = ANN.email) =>
    crm.operator.createToken({ workspace, client_id, user_email, scopes })
  const { visitor } = await signInTestUser(base, ANN.email)
  return { ...base, accounts: crm.accounts, one, two, approve, visitor }
}

describe('the connections of a user', () => {
  test('are the apps it approved, the one used last first, each workspace apart', async () => {
    const { accounts, one, two, approve, visitor, ann, otherOwner, clock } = await withApps()
    await approve('acme', one, ['people:read', 'tasks:read'])
    clock.advance(60)
    await approve('acme', one, ['tasks:read', 'people:write'])
    clock.advance(60)
    await approve('other', two, ['tasks:read'])
    await approve('acme', two, ['tasks:read'], BEN.email)
    expect(await accounts.connectedApps(visitor)).toEqual([
      {
        client_id: two,
        app_name: 'Two',
        workspace: { id: otherOwner.workspaceId, name: 'Other' },
        scopes: ['tasks:read'],
        created_at: '2026-03-01T12:02:00.000Z',
        last_used_at: '2026-03-01T12:02:00.000Z',
      },
      {
        client_id: one,
        app_name: 'One',
        workspace: { id: ann.workspaceId, name: 'Acme' },
        scopes: ['people:read', 'tasks:read', 'people:write'],
        created_at: NOON,
        last_used_at: '2026-03-01T12:01:00.000Z',
      },
    ])
  })

  test('are those whose refresh token still lives', async () => {
    const { accounts, one, approve, visitor, clock } = await withApps()
    await approve('acme', one, ['tasks:read'])
    clock.advance(60 * 86_400 - 0.001)
    expect((await accounts.connectedApps(visitor)).map(({ app_name }) => app_name)).toEqual(['One'])
    clock.advance(0.001)
    expect(await accounts.connectedApps(visitor)).toEqual([])
  })

  test('end with the membership', async () => {
    const { crm, accounts, one, approve, visitor } = await withApps()
    await approve('acme', one, ['tasks:read'])
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    expect(await accounts.connectedApps(visitor)).toEqual([])
    expect((await accounts.workspaces(visitor)).map(({ slug, role }) => [slug, role])).toEqual([
      ['other', 'member'],
    ])
  })
})

describe('disconnecting an app', () => {
  test('revokes all that the user approved for it in the workspace, and nothing else', async () => {
    const { accounts, storage, one, two, approve, visitor, ann, otherOwner, clock } = await withApps()
    await approve('acme', one, ['tasks:read'])
    await approve('acme', one, ['people:read'])
    await approve('acme', two, ['tasks:read'])
    await approve('other', one, ['tasks:read'])
    await approve('acme', one, ['tasks:read'], BEN.email)
    clock.advance(60)
    const input = { workspace_id: ann.workspaceId.toUpperCase(), client_id: one.toUpperCase() }
    await accounts.disconnectApp(visitor, input)
    const grants = (workspaceId: string) => storage.read((tx) => tx.workspace(workspaceId).grants.find([]))
    const at = '2026-03-01T12:01:00.000Z'
    const revoked = {
      user_id: ann.userId,
      client_id: one,
      revoked_at: at,
      updated_at: at,
      refresh_hash: null,
    }
    const live = { revoked_at: null, updated_at: NOON, refresh_hash: expect.any(String) }
    expect(await grants(ann.workspaceId)).toMatchObject([
      revoked,
      revoked,
      { ...live, client_id: two },
      { ...live, client_id: one },
    ])
    expect(await grants(otherOwner.workspaceId)).toMatchObject([live])
    expect(await catchRejection(accounts.disconnectApp(visitor, input))).toEqual(MISSING)
  })

  test('that the user has not approved there is refused', async () => {
    const { accounts, one, two, approve, visitor, ann, otherOwner } = await withApps()
    await approve('acme', one, ['tasks:read'], BEN.email)
    await approve('acme', two, ['tasks:read'])
    const bad = [
      { workspace_id: ann.workspaceId, client_id: one },
      { workspace_id: otherOwner.workspaceId, client_id: two },
      { workspace_id: UNKNOWN_ID, client_id: two },
      { workspace_id: ann.workspaceId, client_id: 'x\0' },
      { workspace_id: '', client_id: two },
    ]
    for (const input of bad)
      expect(await catchRejection(accounts.disconnectApp(visitor, input))).toEqual(MISSING)
    expect(await accounts.connectedApps(visitor)).toHaveLength(1)
  })
})
