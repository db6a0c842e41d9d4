import { describe, expect, test } from 'vitest'
import { ANN, catchRejection, NOON, secrets, UNKNOWN_ID } from '../../../../test/harness.ts'
import {
  APP,
  buildUserSession,
  CHALLENGE,
  PKCE,
  REDIRECT_URI,
  withApp,
} from '../../../../test/oauth-harness.ts'
import type { App } from '../../../schema/app.ts'

const ISS = 'iss=https%3A%2F%2Fcrm.example'
const NO_WORKSPACE = { code: 'not_found', message: 'Workspace not found.' }

const CHANGES: readonly (readonly [string, Partial<App>])[] = [
  ['becomes inactive', { active: false }],
  ['drops the redirect URI', { redirect_uris: ['https://app.example/other'] }],
  ['loses a scope', { scopes: ['tasks:read', 'people:read'] }],
]

describe('consent', () => {
  test('returns the app, the requested scopes and the workspaces of the user', async () => {
    const { oauth, authorizationRequest, userSession, crm, ann, otherOwner } = await withApp()
    const id = await oauth.beginAuthorization({ ...authorizationRequest, scope: 'deals:read' })
    const expected = {
      authorization_id: id,
      app_name: 'App',
      publicClient: null,
      redirect_uri: REDIRECT_URI,
      scopes: ['deals:read'],
      workspaces: [{ id: ann.workspaceId, name: 'Acme' }],
    }
    expect(await oauth.consent(userSession, id)).toEqual(expected)
    await crm.operator.addMember({ workspace: 'other', ...ANN, role: 'member' })
    const bothWorkspaces = [...expected.workspaces, { id: otherOwner.workspaceId, name: 'Other' }]
    expect(await oauth.consent(userSession, id)).toEqual({ ...expected, workspaces: bothWorkspaces })
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    expect(await oauth.consent(userSession, id)).toEqual({ ...expected, workspaces: bothWorkspaces.slice(1) })
  })

  test('expires after half an hour', async () => {
    const { oauth, authorizationRequest, userSession, clock, ann } = await withApp()
    const id = await oauth.beginAuthorization(authorizationRequest)
    clock.set('2026-03-01T12:29:59.999Z')
    expect(await oauth.consent(userSession, id)).toBeDefined()
    clock.set('2026-03-01T12:30:00.000Z')
    expect(await oauth.consent(userSession, id)).toBeUndefined()
    expect(await oauth.approve(userSession, id, ann.workspaceId)).toBeUndefined()
    expect(await oauth.deny(id)).toBeUndefined()
  })

  test.each(['', 'x', UNKNOWN_ID, '\u0000', '\ud800'])('returns undefined for the id %j', async (id) => {
    const { oauth, userSession, ann } = await withApp()
    expect(await oauth.consent(userSession, id)).toBeUndefined()
    expect(await oauth.approve(userSession, id, ann.workspaceId)).toBeUndefined()
    expect(await oauth.deny(id)).toBeUndefined()
  })

  test.each(CHANGES)('returns undefined if the app %s after the request', async (_, change) => {
    const { oauth, authorizationRequest, userSession, changeApp, ann, storage } = await withApp()
    const id = await oauth.beginAuthorization(authorizationRequest)
    await changeApp(change)
    expect(await oauth.consent(userSession, id)).toBeUndefined()
    expect(await oauth.approve(userSession, id, ann.workspaceId)).toBeUndefined()
    expect(await oauth.deny(id)).toBeUndefined()
    expect(await storage.read((tx) => tx.authorization_codes.find([]))).toEqual([])
  })
})

describe('approval', () => {
  test('redirects with a code and stores its hash', async () => {
    const { oauth, authorizationRequest, userSession, ann, storage } = await withApp()
    const id = await oauth.beginAuthorization({
      ...authorizationRequest,
      state: 'a b&é',
      scope: 'tasks:read',
      ...PKCE,
    })
    const location = await oauth.approve(userSession, id, ann.workspaceId)
    const code = new URL(location!).searchParams.get('code')!
    expect(location).toBe(`${REDIRECT_URI}&code=${code}&state=a%20b%26%C3%A9&${ISS}`)
    expect(code).toMatch(/^crm_ac_[0-9a-f]{96}$/)
    const codes = await storage.read((tx) => tx.authorization_codes.find([]))
    expect(codes).toEqual([
      {
        id: codes[0]?.id,
        token_hash: secrets.hash(code),
        client_id: authorizationRequest.client_id,
        redirect_uri: REDIRECT_URI,
        scopes: ['tasks:read'],
        audience: 'interface',
        code_challenge: CHALLENGE,
        workspace_id: ann.workspaceId,
        user_id: ann.userId,
        grant_id: null,
        expires_at: '2026-03-01T12:10:00.000Z',
        created_at: NOON,
        updated_at: NOON,
      },
    ])
  })

  test('requires a workspace of the user, and can be retried', async () => {
    const { oauth, authorizationRequest, userSession, crm, ann, otherOwner, storage } = await withApp()
    const id = await oauth.beginAuthorization(authorizationRequest)
    for (const workspaceId of [otherOwner.workspaceId, UNKNOWN_ID, 'acme', '', '\u0000']) {
      expect(await catchRejection(oauth.approve(userSession, id, workspaceId))).toEqual(NO_WORKSPACE)
    }
    expect(await storage.read((tx) => tx.authorization_codes.find([]))).toEqual([])
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    expect(await catchRejection(oauth.approve(userSession, id, ann.workspaceId))).toEqual(NO_WORKSPACE)
    const sam = buildUserSession(otherOwner.userId, { name: 'Sam', email: 'sam@other.example' })
    expect(await oauth.approve(sam, id, otherOwner.workspaceId)).toMatch(/code=crm_ac_/)
  })

  test('succeeds once for twenty concurrent requests', async () => {
    const { oauth, authorizationRequest, userSession, ann, storage } = await withApp()
    const id = await oauth.beginAuthorization(authorizationRequest)
    const locations = await Promise.all(
      Array.from({ length: 20 }, () => oauth.approve(userSession, id, ann.workspaceId)),
    )
    expect(locations.filter((location) => location !== undefined)).toHaveLength(1)
    expect(await storage.read((tx) => tx.authorization_codes.find([]))).toHaveLength(1)
    expect(await storage.read((tx) => tx.authorizations.find([]))).toEqual([])
    expect(await oauth.consent(userSession, id)).toBeUndefined()
    expect(await oauth.deny(id)).toBeUndefined()
  })
})

describe('denial', () => {
  test('redirects with access_denied once and creates no code', async () => {
    const { oauth, authorizationRequest, userSession, ann, storage } = await withApp()
    const id = await oauth.beginAuthorization({
      ...authorizationRequest,
      redirect_uri: APP.redirect_uris[1]!,
      state: 's',
    })
    expect(await oauth.deny(id)).toBe(`https://app.example/other?error=access_denied&state=s&${ISS}`)
    expect(await oauth.deny(id)).toBeUndefined()
    expect(await oauth.approve(userSession, id, ann.workspaceId)).toBeUndefined()
    expect(await storage.read((tx) => tx.authorization_codes.find([]))).toEqual([])
  })
})
