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
  return { ...base, app, input: { workspace: 'acme', client_id: app.client_id, user_email: ANN.email } }
}

describe('creating a token', () => {
  test('stores a grant with all scopes of the app', async () => {
    const { crm, storage, app, input, ann } = await withApp()
    const response = await crm.operator.createToken({
      ...input,
      workspace: 'Acme',
      user_email: 'ANN@acme.example',
    })
    expect(response).toEqual({
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
        refresh_hash: secrets.hash(response.refresh_token),
        family_hash: null,
        refresh_expires_at: '2026-04-30T12:00:00.000Z',
        revoked_at: null,
        created_at: NOON,
        updated_at: NOON,
      },
    ])
  })

  test('again stores another grant', async () => {
    const { crm, storage, input, ann } = await withApp()
    const [first, second] = [await crm.operator.createToken(input), await crm.operator.createToken(input)]
    expect(first.refresh_token).not.toBe(second.refresh_token)
    expect(await storage.read((tx) => tx.workspace(ann.workspaceId).grants.find([]))).toHaveLength(2)
  })

  test('can narrow the scopes but not widen them', async () => {
    const { crm, storage, input, ann } = await withApp()
    await crm.operator.createToken({ ...input, scopes: ['people:read'] })
    const grants = () => storage.read((tx) => tx.workspace(ann.workspaceId).grants.find([]))
    expect((await grants()).map(({ scopes }) => scopes)).toEqual([['people:read']])
    expect(
      await catchFieldErrors(
        crm.operator.createToken({ ...input, scopes: ['people:read', 'deals:read', 'tags:write'] }),
      ),
    ).toEqual({
      scopes: 'The app does not have: deals:read, tags:write.',
    })
    expect(await grants()).toHaveLength(1)
  })

  test('requires a workspace, an active app and a member', async () => {
    const { crm, storage, app, input } = await withApp()
    const notFound = (label: string) => ({ code: 'not_found', message: `${label} not found.` })
    expect(await catchRejection(crm.operator.createToken({ ...input, workspace: 'nowhere' }))).toEqual(
      notFound('Workspace'),
    )
    expect(await catchRejection(crm.operator.createToken({ ...input, client_id: UNKNOWN_ID }))).toEqual(
      notFound('App'),
    )
    expect(
      await catchRejection(crm.operator.createToken({ ...input, user_email: 'sam@other.example' })),
    ).toEqual(notFound('Member'))
    expect(await catchRejection(crm.operator.createToken({ ...input, user_email: 'x@y.co' }))).toEqual(
      notFound('Member'),
    )
    await storage.transact(async (tx) =>
      tx.apps.update({ ...(await tx.apps.getForUpdate(app.client_id))!, active: false }),
    )
    expect(await catchRejection(crm.operator.createToken(input))).toEqual(notFound('App'))
    expect(await catchFieldErrors(crm.operator.createToken({ ...input, client_id: 'app' }))).toEqual({
      client_id: 'Must be a UUID.',
    })
  })

  test('is rejected for a removed member', async () => {
    const { crm, input } = await withApp()
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    expect(await catchRejection(crm.operator.createToken(input))).toEqual({
      code: 'not_found',
      message: 'Member not found.',
    })
  })
})

test('rotateKey replaces the current signing key', async () => {
  const { crm, storage, input } = await withApp()
  await crm.operator.createToken(input)
  const { kid } = await crm.operator.rotateKey()
  const current = await storage.read((tx) => tx.signing_keys.find([{ field: 'role', is: 'current' }]))
  expect(current.map(({ id }) => id)).toEqual([kid])
})
