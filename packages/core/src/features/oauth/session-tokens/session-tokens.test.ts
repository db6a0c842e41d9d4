import { describe, expect, test } from 'vitest'
import { ORIGIN, runTwenty, setTestPassword, signInTestUser } from '../../../../test/accounts.ts'
import { ANN, catchFieldErrors, catchRejection, createTestCrm, UNKNOWN_ID } from '../../../../test/harness.ts'
import { localAccessGate } from '../../../index.ts'
import { SCOPES } from '../../../kernel/actor.ts'
import { CONSOLE_CLIENT_ID } from '../../../kernel/console-client.ts'
import type { UserSession } from '../../accounts/account.ts'

const NO_LIMITS = { forApp: () => undefined, forAddress: undefined }

async function withSession(email = ANN.email) {
  const base = await createTestCrm()
  const { crm, storage, clock } = base
  const { userSession, token } = await signInTestUser(base, email)
  const authenticate = crm.createAuthenticator(localAccessGate(storage, clock.now))
  const actorOf = async ({ access_token }: { readonly access_token: string }) =>
    (await authenticate(`Bearer ${access_token}`, NO_LIMITS)).actor
  return { ...base, userSession, sessionToken: token, authenticate, actorOf }
}

describe('a session token', () => {
  test('acts for the member with every scope, for ten minutes', async () => {
    const { crm, userSession, ann, clock, authenticate, actorOf } = await withSession()
    const token = (await crm.accounts.createSessionToken(userSession))!
    expect(token).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 600,
      user_id: ann.userId,
      workspace: { id: ann.workspaceId, name: 'Acme', slug: 'acme', role: 'member' },
    })
    expect(await actorOf(token)).toEqual({ ...ann, clientId: CONSOLE_CLIENT_ID, scopes: new Set(SCOPES) })
    clock.advance(600)
    expect(await authenticate(`Bearer ${token.access_token}`, NO_LIMITS)).toMatchObject({
      error: { code: 'token_expired' },
    })
    expect(await actorOf((await crm.accounts.createSessionToken(userSession))!)).toBeDefined()
  })

  test('is for a workspace of the signed-in user only', async () => {
    const { crm, userSession, ann, otherOwner } = await withSession()
    const second = await crm.operator.createWorkspace({
      name: 'Second',
      slug: 'second',
      owner_name: ANN.name,
      owner_email: ANN.email,
    })
    const token = await crm.accounts.createSessionToken(userSession, { workspace_id: second.id })
    expect(token?.workspace).toMatchObject({ slug: 'second', role: 'owner' })
    expect((await crm.accounts.createSessionToken(userSession))?.workspace.id).toBe(ann.workspaceId)
    for (const workspace_id of [otherOwner.workspaceId, UNKNOWN_ID])
      expect(await catchRejection(crm.accounts.createSessionToken(userSession, { workspace_id }))).toEqual({
        code: 'not_found',
        message: 'Workspace not found.',
      })
    expect(
      await catchFieldErrors(crm.accounts.createSessionToken(userSession, { workspace_id: 'x' })),
    ).toEqual({
      workspace_id: 'Must be a UUID.',
    })
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    expect((await crm.accounts.createSessionToken(userSession))?.workspace.slug).toBe('second')
  })

  test('ends with the session, in every workspace', async () => {
    const { crm, userSession, actorOf } = await withSession()
    const second = await crm.operator.createWorkspace({
      name: 'Second',
      slug: 'second',
      owner_name: ANN.name,
      owner_email: ANN.email,
    })
    const tokens = [
      (await crm.accounts.createSessionToken(userSession))!,
      (await crm.accounts.createSessionToken(userSession, { workspace_id: second.id }))!,
    ]
    await crm.accounts.signOut(userSession)
    expect(await Promise.all(tokens.map(actorOf))).toEqual([undefined, undefined])
    expect(await crm.accounts.createSessionToken(userSession)).toBeUndefined()
  })

  test('ends with the expiry of the session, a new password and the membership', async () => {
    const { crm, clock, userSession, actorOf, storage } = await withSession()
    const other = await signInTestUser({ crm, storage }, ANN.email)
    const [own, others] = [
      (await crm.accounts.createSessionToken(userSession))!,
      (await crm.accounts.createSessionToken(other.userSession))!,
    ]
    const passwords = { current_password: 'correct horse', new_password: 'another long password' }
    expect(await crm.accounts.changePassword(userSession, passwords, ORIGIN)).toBe(true)
    expect(await actorOf(own)).toBeDefined()
    expect(await actorOf(others)).toBeUndefined()
    clock.advance(14 * 24 * 3600 - 60)
    const last = (await crm.accounts.createSessionToken(userSession))!
    expect(last.expires_in).toBe(60)
    expect(await actorOf(last)).toBeDefined()
    clock.advance(60)
    expect(await actorOf(last)).toBeUndefined()
    expect(await crm.accounts.createSessionToken(userSession)).toBeUndefined()
    const { userSession: third } = await signInTestUser({ crm, storage }, ANN.email)
    const token = (await crm.accounts.createSessionToken(third))!
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    expect(await actorOf(token)).toBeUndefined()
    expect(await catchRejection(crm.accounts.createSessionToken(third))).toMatchObject({ code: 'not_found' })
  })

  test('shows as the connected app Console, whose removal ends every other session', async () => {
    const { crm, ann, userSession, storage, sessionToken, actorOf } = await withSession()
    await crm.operator.createWorkspace({
      name: 'Second',
      slug: 'second',
      owner_name: 'Ann',
      owner_email: ANN.email,
    })
    const stolen = await signInTestUser({ crm, storage }, ANN.email)
    const enter = async (each: UserSession) => {
      const workspaces = await crm.accounts.workspaces(each)
      return Promise.all(
        workspaces.map(
          async ({ id }) => (await crm.accounts.createSessionToken(each, { workspace_id: id }))!,
        ),
      )
    }
    const [tokens, stolenTokens] = [await enter(userSession), await enter(stolen.userSession)]
    expect((await crm.accounts.connectedApps(userSession)).map(({ app_name }) => app_name)).toEqual([
      'Console',
      'Console',
    ])
    await crm.accounts.disconnectApp(userSession, {
      workspace_id: ann.workspaceId,
      client_id: CONSOLE_CLIENT_ID,
    })
    for (const token of stolenTokens) expect(await actorOf(token)).toBeUndefined()
    expect(await crm.accounts.userSession(stolen.token)).toBeUndefined()
    for (const token of tokens) expect(await actorOf(token)).toBeDefined()
    expect(await crm.accounts.userSession(sessionToken)).toBeDefined()
  })

  test('ends with the other sessions when all apps are removed, and everywhere on demand', async () => {
    const { crm, userSession, storage, sessionToken, actorOf } = await withSession()
    const stolen = await signInTestUser({ crm, storage }, ANN.email)
    const [token, stolenToken] = await Promise.all(
      [userSession, stolen.userSession].map(async (each) => (await crm.accounts.createSessionToken(each))!),
    )
    await crm.accounts.disconnectAllApps(userSession)
    expect(await actorOf(stolenToken!)).toBeUndefined()
    expect(await actorOf(token!)).toBeDefined()
    await crm.accounts.signOutEverywhere(userSession)
    expect(await actorOf(token!)).toBeUndefined()
    expect(await crm.accounts.userSession(sessionToken)).toBeUndefined()
  })

  test('twenty first requests share one grant', async () => {
    const { crm, ann, userSession, actorOf, storage } = await withSession()
    const tokens = await runTwenty(() => crm.accounts.createSessionToken(userSession))
    for (const token of tokens) expect(await actorOf(token!)).toBeDefined()
    const grants = await storage.read((tx) => tx.workspace(ann.workspaceId).grants.find([]))
    expect(grants.map(({ id }) => id)).toEqual([userSession.session_id])
  })

  test('is counted per member, not per app', async () => {
    const { crm, ann, userSession, authenticate } = await withSession()
    const { access_token } = (await crm.accounts.createSessionToken(userSession))!
    const subjects: string[] = []
    const forApp = (subject: string) => void subjects.push(subject)
    await authenticate(`Bearer ${access_token}`, { forApp: forApp as () => undefined, forAddress: undefined })
    expect(subjects).toEqual([`${CONSOLE_CLIENT_ID}:${ann.userId}`])
  })

  test('of another signed-in user is not opened by the id of a session', async () => {
    const base = await withSession()
    await setTestPassword(base, ANN.email, 'correct horse')
    const forged = { ...base.userSession, user: { ...base.userSession.user, id: base.owner.userId } }
    expect(await base.crm.accounts.createSessionToken(forged)).toBeUndefined()
  })

  test('reads all workspaces of the member', async () => {
    const { crm, userSession, actorOf } = await withSession()
    await crm.operator.createWorkspace({
      name: 'Second',
      slug: 'second',
      owner_name: ANN.name,
      owner_email: ANN.email,
    })
    const actor = (await actorOf((await crm.accounts.createSessionToken(userSession))!))!
    expect((await crm.members.me(actor)).workspaces.map(({ slug }) => slug)).toEqual(['acme', 'second'])
  })
})

test('a webhook of the console is delivered after its creator has signed out', async () => {
  const { crm, userSession, owner, actorOf } = await withSession('ada@acme.example')
  const actor = (await actorOf((await crm.accounts.createSessionToken(userSession))!))!
  const webhook = await crm.webhooks.create(actor, {
    url: 'https://receiver.example/',
    events: ['task.created'],
  })
  await crm.accounts.signOut(userSession)
  await crm.tasks.create(owner, { title: 'Call' })
  const { data } = await crm.webhooks.deliveries(actor, webhook.id)
  expect(data.map(({ event, status }) => [event, status])).toEqual([['task.created', 'pending']])
})
