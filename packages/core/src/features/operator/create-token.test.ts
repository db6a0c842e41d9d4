import { describe, expect, test } from 'vitest'
import {
  ANN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  NOON,
  secrets,
  UNKNOWN_ID,
} from '../../../test/harness.ts'

const APP = {
  name: 'App',
  email: 'dev@app.example',
  redirect_uris: ['https://app.example/back?x=1'],
  scopes: ['tasks:read', 'people:read'],
}

async function withApp() {
  const base = await createTestCrm()
  const app = await base.crm.operator.createApp(APP)
  return { ...base, app, asked: { workspace: 'acme', client_id: app.client_id, user_email: ANN.email } }
}

describe('making a token', () => {
  test('records a grant of all the scopes of the app', async () => {
    const { crm, storage, app, asked, ann } = await withApp()
    const made = await crm.operator.createToken({
      ...asked,
      workspace: 'Acme',
      user_email: 'ANN@acme.example',
    })
    expect(made).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^crm_rt_[0-9a-f]{128}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      workspace_slug: 'acme',
    })
    const grants = await storage.read((tx) => tx.workspace(ann.workspaceId).grants.find([]))
    expect(grants).toEqual([
      {
        id: grants[0]?.id,
        user_id: ann.userId,
        client_id: app.client_id,
        scopes: ['tasks:read', 'people:read'],
        audience: 'interface',
        refresh_hash: secrets.hash(made.refresh_token),
        family_hash: null,
        refresh_expires_at: '2026-04-30T12:00:00.000Z',
        revoked_at: null,
        created_at: NOON,
        updated_at: NOON,
      },
    ])
  })

  test('again makes another grant', async () => {
    const { crm, storage, asked, ann } = await withApp()
    const [one, two] = [await crm.operator.createToken(asked), await crm.operator.createToken(asked)]
    expect(one.refresh_token).not.toBe(two.refresh_token)
    expect(await storage.read((tx) => tx.workspace(ann.workspaceId).grants.find([]))).toHaveLength(2)
  })

  test('narrows the scopes, and never widens them', async () => {
    const { crm, storage, asked, ann } = await withApp()
    await crm.operator.createToken({ ...asked, scopes: ['people:read'] })
    const grants = () => storage.read((tx) => tx.workspace(ann.workspaceId).grants.find([]))
    expect((await grants()).map(({ scopes }) => scopes)).toEqual([['people:read']])
    expect(
      await catchFieldErrors(
        crm.operator.createToken({ ...asked, scopes: ['people:read', 'deals:read', 'tags:write'] }),
      ),
    ).toEqual({
      scopes: 'The app does not have: deals:read, tags:write.',
    })
    expect(await grants()).toHaveLength(1)
  })

  test('needs a workspace, an app that is active, and a member', async () => {
    const { crm, storage, app, asked } = await withApp()
    const missing = (what: string) => ({ code: 'not_found', message: `${what} not found.` })
    expect(await catchRejection(crm.operator.createToken({ ...asked, workspace: 'nowhere' }))).toEqual(
      missing('Workspace'),
    )
    expect(await catchRejection(crm.operator.createToken({ ...asked, client_id: UNKNOWN_ID }))).toEqual(
      missing('App'),
    )
    expect(
      await catchRejection(crm.operator.createToken({ ...asked, user_email: 'sam@other.example' })),
    ).toEqual(missing('Member'))
    expect(await catchRejection(crm.operator.createToken({ ...asked, user_email: 'x@y.co' }))).toEqual(
      missing('Member'),
    )
    await storage.transact(async (tx) =>
      tx.apps.update({ ...(await tx.apps.getForUpdate(app.client_id))!, active: false }),
    )
    expect(await catchRejection(crm.operator.createToken(asked))).toEqual(missing('App'))
    expect(await catchFieldErrors(crm.operator.createToken({ ...asked, client_id: 'app' }))).toEqual({
      client_id: 'Must be a UUID.',
    })
  })

  test('is refused to a member who has left', async () => {
    const { crm, asked } = await withApp()
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    expect(await catchRejection(crm.operator.createToken(asked))).toEqual({
      code: 'not_found',
      message: 'Member not found.',
    })
  })
})

test('the operator replaces the key that signs', async () => {
  const { crm, storage, asked } = await withApp()
  await crm.operator.createToken(asked)
  const { kid } = await crm.operator.rotateKey()
  const current = await storage.read((tx) => tx.signing_keys.find([{ field: 'role', is: 'current' }]))
  expect(current.map(({ id }) => id)).toEqual([kid])
})
