import { describe, expect, test } from 'vitest'
import { ORIGIN, readMailedToken, signInTestUser } from '../../../test/accounts.ts'
import {
  ANN,
  BEN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  NOON,
  OWNER,
  UNKNOWN_ID,
} from '../../../test/harness.ts'
import { sendAllMail } from '../../../test/mail.ts'

const WORKSPACE_NOT_FOUND = { code: 'not_found', message: 'Workspace not found.' }
const FORBIDDEN = { code: 'forbidden', message: 'You do not have permission to update this workspace.' }
const MEMBER_NOT_FOUND = { code: 'not_found', message: 'Member not found.' }
const NEW_USER = { name: 'New', password: 'battery staple' }
const INVITATION_NOT_FOUND = { code: 'not_found', message: 'Invitation not found.' }

async function withUserSessions() {
  const base = await createTestCrm()
  const userSessionAt = async (email: string) => (await signInTestUser(base, email)).userSession
  return {
    ...base,
    accounts: base.crm.accounts,
    olga: await userSessionAt(OWNER.email),
    ada: await userSessionAt('ada@acme.example'),
    annUserSession: await userSessionAt(ANN.email),
    sam: await userSessionAt('sam@other.example'),
  }
}

describe('the members of a workspace', () => {
  test('consist of members and open invitations', async () => {
    const { accounts, crm, owner, admin, ann, ben, ada } = await withUserSessions()
    await crm.operator.removeMember({ workspace: 'acme', email: BEN.email })
    await accounts.invite(ada, 'acme', { email: 'cleo@new.example', role: 'admin' }, ORIGIN)
    await accounts.invite(ada, 'acme', { email: BEN.email, role: 'member' }, ORIGIN)
    const { invitations, ...rest } = await accounts.members(ada, 'ACME')
    expect(rest).toEqual({
      stopped_webhooks: [],
      workspace: { id: owner.workspaceId, name: 'Acme', slug: 'acme', role: 'admin' },
      members: [
        { id: owner.userId, ...OWNER, role: 'owner' },
        { id: admin.userId, name: 'Ada Admin', email: 'ada@acme.example', role: 'admin' },
        { id: ann.userId, ...ANN, role: 'member' },
      ],
    })
    expect(invitations).toEqual([
      {
        id: invitations[0]?.id,
        email: 'cleo@new.example',
        role: 'admin',
        expires_at: '2026-03-08T12:00:00.000Z',
        created_at: NOON,
      },
      {
        id: invitations[1]?.id,
        email: BEN.email,
        role: 'member',
        expires_at: '2026-03-08T12:00:00.000Z',
        created_at: NOON,
      },
    ])
    await crm.operator.addMember({ workspace: 'acme', ...BEN, role: 'member' })
    expect((await accounts.members(ada, 'acme')).members.at(-1)).toEqual({
      id: ben.userId,
      ...BEN,
      role: 'member',
    })
    expect((await accounts.members(ada, 'acme')).invitations.map(({ email }) => email)).toEqual([
      'cleo@new.example',
    ])
  })

  test('contain no expired invitation and none of another workspace', async () => {
    const { accounts, clock, olga, sam } = await withUserSessions()
    await accounts.invite(sam, 'other', { email: 'cleo@new.example', role: 'admin' }, ORIGIN)
    await accounts.invite(olga, 'acme', { email: 'dan@new.example', role: 'admin' }, ORIGIN)
    const listOpenInvitations = async () =>
      (await accounts.members(olga, 'acme')).invitations.map(({ email }) => email)
    expect(await listOpenInvitations()).toEqual(['dan@new.example'])
    clock.advance(7 * 86_400)
    expect(await listOpenInvitations()).toEqual([])
  })

  test.each(['other', 'nowhere', '', 'a b', 'acme\0', '\ud800', '../acme'])(
    'under the slug %j is not found for a user outside of it',
    async (slug) => {
      const { accounts, annUserSession } = await withUserSessions()
      const input = { email: 'cleo@new.example', role: 'member' }
      expect(await catchRejection(accounts.members(annUserSession, slug))).toEqual(WORKSPACE_NOT_FOUND)
      expect(await catchRejection(accounts.invite(annUserSession, slug, input, ORIGIN))).toEqual(
        WORKSPACE_NOT_FOUND,
      )
      expect(await catchRejection(accounts.withdrawInvitation(annUserSession, slug, UNKNOWN_ID))).toEqual(
        WORKSPACE_NOT_FOUND,
      )
      expect(await catchRejection(accounts.removeMember(annUserSession, slug, UNKNOWN_ID))).toEqual(
        WORKSPACE_NOT_FOUND,
      )
    },
  )

  test('is forbidden for the role member and not found for a removed member', async () => {
    const { accounts, crm, ben, annUserSession } = await withUserSessions()
    const input = { email: 'cleo@new.example', role: 'member' }
    const calls = [
      () => accounts.members(annUserSession, 'acme'),
      () => accounts.invite(annUserSession, 'acme', input, ORIGIN),
      () => accounts.withdrawInvitation(annUserSession, 'acme', UNKNOWN_ID),
      () => accounts.removeMember(annUserSession, 'acme', ben.userId),
    ]
    for (const call of calls) expect(await catchRejection(call)).toEqual(FORBIDDEN)
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    for (const call of calls) expect(await catchRejection(call)).toEqual(WORKSPACE_NOT_FOUND)
  })
})

describe('removing a member', () => {
  test('ends the membership and revokes its grants', async () => {
    const { accounts, crm, storage, ann, ada, annUserSession } = await withUserSessions()
    const app = await crm.operator.createApp({
      name: 'App',
      email: 'a@b.co',
      redirect_uris: ['https://a.co/'],
      scopes: ['tasks:read'],
    })
    await crm.operator.createToken({ workspace: 'acme', client_id: app.client_id, user_email: ANN.email })
    await accounts.removeMember(ada, 'acme', ann.userId.toUpperCase())
    expect(await accounts.workspaces(annUserSession)).toEqual([])
    const grants = await storage.read((tx) => tx.workspace(ann.workspaceId).grants.find([]))
    expect(grants.map(({ revoked_at, refresh_hash }) => ({ revoked_at, refresh_hash }))).toEqual([
      { revoked_at: '2026-03-01T12:00:00.000Z', refresh_hash: null },
    ])
    expect(await catchRejection(accounts.removeMember(ada, 'acme', ann.userId))).toEqual(MEMBER_NOT_FOUND)
  })

  test('who is unknown or in another workspace is rejected', async () => {
    const { accounts, otherOwner, olga } = await withUserSessions()
    for (const id of [UNKNOWN_ID, otherOwner.userId, '', 'ann', 'x\0'])
      expect(await catchRejection(accounts.removeMember(olga, 'acme', id))).toEqual(MEMBER_NOT_FOUND)
  })

  test('who is an owner requires an owner, and is rejected for the last one', async () => {
    const { accounts, crm, owner, otherOwner, olga, ada } = await withUserSessions()
    const forbidden = { code: 'forbidden', message: 'You do not have permission to delete this member.' }
    expect(await catchRejection(accounts.removeMember(ada, 'acme', owner.userId))).toEqual(forbidden)
    expect(await catchFieldErrors(accounts.removeMember(olga, 'acme', owner.userId))).toEqual({
      user: 'Must not be the last owner of the workspace.',
    })
    await crm.operator.addMember({
      workspace: 'acme',
      name: 'Sam',
      email: 'sam@other.example',
      role: 'owner',
    })
    expect(await catchRejection(accounts.removeMember(ada, 'acme', otherOwner.userId))).toEqual(forbidden)
    await accounts.removeMember(olga, 'acme', otherOwner.userId)
  })

  test('fails for one of two owners who remove each other', async () => {
    const { accounts, crm, owner, otherOwner, olga, sam } = await withUserSessions()
    await crm.operator.addMember({
      workspace: 'acme',
      name: 'Sam',
      email: 'sam@other.example',
      role: 'owner',
    })
    const removals = [
      accounts.removeMember(olga, 'acme', otherOwner.userId),
      accounts.removeMember(sam, 'acme', owner.userId),
    ]
    const outcomes = await Promise.allSettled(removals)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  test('is allowed for oneself', async () => {
    const { accounts, admin, ada } = await withUserSessions()
    await accounts.removeMember(ada, 'acme', admin.userId)
    expect(await catchRejection(accounts.members(ada, 'acme'))).toEqual(WORKSPACE_NOT_FOUND)
  })

  test('deletes the invitations to that member', async () => {
    const base = await withUserSessions()
    const { accounts, crm, otherOwner, olga } = base
    await accounts.invite(olga, 'acme', { email: 'sam@other.example', role: 'admin' }, ORIGIN)
    const link = await readMailedToken(base)
    await crm.operator.addMember({
      workspace: 'acme',
      name: 'Sam',
      email: 'sam@other.example',
      role: 'member',
    })
    await accounts.removeMember(olga, 'acme', otherOwner.userId)
    expect(await accounts.acceptInvitation(link, {})).toBeUndefined()
  })

  test.each(['on the members page', 'by the operator', 'by oneself'])(
    '%s deletes the invitations by that member in this workspace, and no others',
    async (remover) => {
      const base = await withUserSessions()
      const { accounts, crm, admin, olga, ada } = base
      await crm.operator.addMember({
        workspace: 'other',
        name: 'Ada',
        email: 'ada@acme.example',
        role: 'admin',
      })
      const inviteByMail = async (userSession: typeof ada, slug: string, email: string) => {
        await accounts.invite(userSession, slug, { email, role: 'member' }, ORIGIN)
        return readMailedToken(base)
      }
      const deletedLinks = [
        await inviteByMail(ada, 'acme', 'cleo@new.example'),
        await inviteByMail(ada, 'acme', 'dan@new.example'),
      ]
      const otherLinks = [
        await inviteByMail(olga, 'acme', 'eve@new.example'),
        await inviteByMail(ada, 'other', 'cleo@new.example'),
      ]
      if (remover === 'by the operator')
        await crm.operator.removeMember({ workspace: 'acme', email: 'ada@acme.example' })
      else await accounts.removeMember(remover === 'by oneself' ? ada : olga, 'acme', admin.userId)
      for (const link of deletedLinks) expect(await accounts.acceptInvitation(link, NEW_USER)).toBeUndefined()
      for (const link of otherLinks) expect(await accounts.acceptInvitation(link, NEW_USER)).toBeDefined()
      expect((await accounts.members(olga, 'acme')).members.map(({ email }) => email)).not.toContain(
        'cleo@new.example',
      )
    },
  )
})

describe('withdrawing an invitation', () => {
  test('invalidates its link', async () => {
    const base = await withUserSessions()
    const { accounts, olga, ada } = base
    await accounts.invite(olga, 'acme', { email: 'cleo@new.example', role: 'admin' }, ORIGIN)
    const link = await readMailedToken(base)
    const [invitation] = (await accounts.members(ada, 'acme')).invitations
    await accounts.withdrawInvitation(ada, 'acme', invitation!.id.toUpperCase())
    expect(await accounts.invitation(link)).toBeUndefined()
    expect((await accounts.members(ada, 'acme')).invitations).toEqual([])
    expect(await catchRejection(accounts.withdrawInvitation(ada, 'acme', invitation!.id))).toEqual(
      INVITATION_NOT_FOUND,
    )
  })

  test('as owner requires an owner', async () => {
    const base = await withUserSessions()
    const { accounts, olga, ada } = base
    const { id } = await accounts.invite(olga, 'acme', { email: 'cleo@new.example', role: 'owner' }, ORIGIN)
    const link = await readMailedToken(base)
    expect(await catchRejection(accounts.withdrawInvitation(ada, 'acme', id))).toEqual({
      code: 'forbidden',
      message: 'You do not have permission to update this invitation.',
    })
    expect(await accounts.invitation(link)).toBeDefined()
    await accounts.withdrawInvitation(olga, 'acme', id)
    expect(await accounts.invitation(link)).toBeUndefined()
  })

  test('of another workspace, or an unknown one, is rejected', async () => {
    const base = await withUserSessions()
    const { accounts, olga, sam } = base
    await accounts.invite(sam, 'other', { email: 'cleo@new.example', role: 'admin' }, ORIGIN)
    await sendAllMail(base.crm)
    const [foreignInvitation] = (await accounts.members(sam, 'other')).invitations
    for (const id of [foreignInvitation!.id, UNKNOWN_ID, '', 'x\0'])
      expect(await catchRejection(accounts.withdrawInvitation(olga, 'acme', id))).toEqual(
        INVITATION_NOT_FOUND,
      )
    expect((await accounts.members(sam, 'other')).invitations).toHaveLength(1)
  })
})
