import { describe, expect, test } from 'vitest'
import { ORIGIN, readMailedToken, signInTestUser } from '../../../test/accounts.ts'
import {
  ANN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  OWNER,
  type TestCrm,
  UNKNOWN_ID,
} from '../../../test/harness.ts'
import { createCrm } from '../../crm.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Role } from '../../kernel/role.ts'

const NOT_FOUND = { code: 'not_found', message: 'Member not found.' }
const MAY_NOT_UPDATE = { code: 'forbidden', message: 'You do not have permission to update this member.' }
const MAY_NOT_DELETE = { code: 'forbidden', message: 'You do not have permission to delete this member.' }

/** The actors of `createTestCrm`, with another owner. */
async function withTwoOwners() {
  const base = await createTestCrm()
  const second = { workspace: 'acme', email: 'omar@acme.example' }
  await base.crm.operator.addMember({ ...second, name: 'Omar', role: 'owner' })
  const roleOf = async ({ userId }: Actor) => (await base.crm.members.get(base.owner, userId)).role
  return { ...base, secondOwner: await base.crm.operator.actorFor(second), roleOf }
}

type ActorName = 'owner' | 'admin' | 'ann'

describe('a change of role', () => {
  const CHANGES: readonly [ActorName, ActorName | 'secondOwner', Role, boolean][] = [
    ['owner', 'ann', 'owner', true],
    ['owner', 'admin', 'member', true],
    ['owner', 'secondOwner', 'member', true],
    ['admin', 'ann', 'admin', true],
    ['admin', 'ann', 'owner', false],
    ['admin', 'secondOwner', 'member', false],
    ['ann', 'admin', 'member', false],
    ['owner', 'owner', 'member', false],
    ['admin', 'admin', 'member', false],
    ['ann', 'ann', 'admin', false],
  ]
  test.each(CHANGES)('by %s of %s to %s: %s', async (manager, target, role, isAllowed) => {
    const { crm, roleOf, ...actors } = await withTwoOwners()
    const change = crm.members.update(actors[manager], actors[target].userId, { role })
    if (isAllowed) expect(await change).toMatchObject({ id: actors[target].userId, role })
    else expect(await catchRejection(change)).toMatchObject(MAY_NOT_UPDATE)
    expect((await roleOf(actors[target])) === role).toBe(isAllowed)
  })

  test('of oneself is refused with the rule', async () => {
    const { crm, owner } = await withTwoOwners()
    expect(await catchRejection(crm.members.update(owner, owner.userId, { role: 'admin' }))).toEqual({
      ...MAY_NOT_UPDATE,
      fields: { role: 'Must not be your own role.' },
    })
  })

  test('holds for actors that were loaded before', async () => {
    const { crm, owner, admin, ann } = await createTestCrm()
    await crm.members.update(owner, admin.userId, { role: 'member' })
    expect(await catchRejection(crm.members.update(admin, ann.userId, { role: 'admin' }))).toEqual(
      MAY_NOT_UPDATE,
    )
    expect(
      await catchRejection(crm.pipelines.create(admin, { name: 'Late', stages: [{ name: 'A' }] })),
    ).toMatchObject({ code: 'forbidden' })
    await crm.members.update(owner, ann.userId, { role: 'admin' })
    expect(await crm.pipelines.create(ann, { name: 'New', stages: [{ name: 'A' }] })).toMatchObject({
      name: 'New',
    })
  })

  test('sends no event, and withdraws the invitations that the new role may not send', async () => {
    const { crm, storage, owner, secondOwner } = await withTwoOwners()
    await crm.members.invite(secondOwner, { email: 'a@new.example', role: 'owner' }, ORIGIN)
    await crm.members.invite(secondOwner, { email: 'b@new.example', role: 'member' }, ORIGIN)
    const addresses = async () => (await crm.members.invitations(owner)).data.map(({ email }) => email)
    await crm.webhooks.create(owner, { url: 'https://hooks.example/', events: ['member_removed'] })
    await crm.members.update(owner, secondOwner.userId, { role: 'admin' })
    expect(await addresses()).toEqual(['b@new.example'])
    await crm.members.update(owner, secondOwner.userId, { role: 'member' })
    expect(await addresses()).toEqual([])
    expect(await storage.read((tx) => tx.workspace(owner.workspaceId).deliveries.find([]))).toEqual([])
  })

  test('of two owners who demote each other leaves one', async () => {
    const { crm, owner, secondOwner, roleOf } = await withTwoOwners()
    const demote = (by: Actor, whom: Actor) =>
      crm.members.update(by, whom.userId, { role: 'member' }).catch(() => undefined)
    await Promise.all(
      Array.from({ length: 10 }, () => [demote(owner, secondOwner), demote(secondOwner, owner)]).flat(),
    )
    expect([await roleOf(owner), await roleOf(secondOwner)].sort()).toEqual(['member', 'owner'])
  })

  test('names what is wrong with it', async () => {
    const { crm, owner, otherOwner, ann } = await createTestCrm()
    const update = (id: string, changes: object) => crm.members.update(owner, id, changes)
    expect(await catchFieldErrors(update(ann.userId, { role: 'boss' }))).toEqual({
      role: 'Must be one of: owner, admin, member.',
    })
    expect(await catchFieldErrors(update(ann.userId, { role: null }))).toEqual({ role: 'Must not be null.' })
    expect(await catchRejection(update(ann.userId, {}))).toEqual({
      code: 'bad_request',
      message: 'No fields provided for update.',
    })
    for (const id of [otherOwner.userId, UNKNOWN_ID, 'x'])
      expect(await catchRejection(update(id, { role: 'admin' }))).toEqual(NOT_FOUND)
    await crm.members.remove(owner, ann.userId)
    expect(await catchRejection(update(ann.userId, { role: 'admin' }))).toEqual(NOT_FOUND)
    const reader = { ...owner, scopes: new Set(['members:read']) }
    expect(await catchRejection(crm.members.update(reader, ann.userId, { role: 'admin' }))).toMatchObject({
      code: 'insufficient_scope',
    })
  })
})

describe('a removal', () => {
  test('is for who manages the member, and for the member itself', async () => {
    const { crm, owner, admin, ann, ben, otherOwner } = await createTestCrm()
    expect(await catchRejection(crm.members.remove(ann, ben.userId))).toEqual(MAY_NOT_DELETE)
    expect(await catchRejection(crm.members.remove(admin, owner.userId))).toEqual(MAY_NOT_DELETE)
    expect(await catchRejection(crm.members.remove(owner, otherOwner.userId))).toEqual(NOT_FOUND)
    await crm.members.remove(ann, ann.userId)
    await crm.members.remove(admin, ben.userId)
    expect((await crm.members.list(owner)).data.map(({ id }) => id)).toEqual([admin.userId, owner.userId])
    expect(await crm.members.get(owner, ben.userId)).toMatchObject({ removed_at: expect.any(String) })
    expect(await catchRejection(crm.members.remove(owner, ben.userId))).toEqual(NOT_FOUND)
    expect(await catchFieldErrors(crm.members.remove(owner, owner.userId))).toEqual({
      id: 'Must not be the last owner of the workspace.',
    })
  })
})

describe('an invitation', () => {
  const ELVIRA = { email: 'elvira@new.example', role: 'member' } as const

  const accept = ({ crm }: Pick<TestCrm, 'crm'>, link: string | undefined, name = 'Elvira') =>
    crm.accounts.acceptInvitation(link!.split('/').at(-1)!, { name, password: 'battery staple' })

  test('is mailed, and its link is in no answer', async () => {
    const base = await createTestCrm()
    const invitation = await base.crm.members.invite(base.admin, ELVIRA, ORIGIN)
    expect(invitation).toEqual({
      id: invitation.id,
      ...ELVIRA,
      expires_at: '2026-03-08T12:00:00.000Z',
      created_at: '2026-03-01T12:00:00.000Z',
    })
    const first = await readMailedToken(base)
    base.clock.advance(3600)
    const renewed = await base.crm.members.resendInvitation(base.owner, invitation.id, ORIGIN)
    expect(renewed).toEqual({ ...invitation, expires_at: '2026-03-08T13:00:00.000Z' })
    expect(await base.crm.accounts.invitation(first)).toBeUndefined()
    expect(await accept(base, await readMailedToken(base))).toMatchObject({ session: expect.anything() })
    expect((await base.crm.members.invitations(base.owner)).data).toEqual([])
  })

  test('returns its link where no mail server is set, and mails nothing', async () => {
    const base = await createTestCrm({ deliversMail: false })
    const { id, link } = await base.crm.members.invite(base.admin, ELVIRA, ORIGIN)
    expect(link).toMatch(/^https:\/\/crm\.example\/invitations\/crm_in_/)
    expect((await base.crm.members.invitations(base.admin)).data).toEqual([
      expect.not.objectContaining({ link: expect.anything() }),
    ])
    const { link: renewed } = await base.crm.members.resendInvitation(base.admin, id, ORIGIN)
    expect(await accept(base, link)).toBeUndefined()
    expect(await accept(base, renewed)).toMatchObject({ session: expect.anything() })
    await expect(readMailedToken(base)).rejects.toThrow()
  })

  test('is for owners and admins, and one of an owner for owners', async () => {
    const { crm, owner, admin, ann, otherOwner } = await createTestCrm()
    const ofOwner = await crm.members.invite(owner, { ...ELVIRA, role: 'owner' }, ORIGIN)
    const forbidden = { code: 'forbidden' }
    expect(await catchRejection(crm.members.invitations(ann))).toMatchObject(forbidden)
    expect(await catchRejection(crm.members.invite(ann, ELVIRA, ORIGIN))).toMatchObject(forbidden)
    expect(await catchRejection(crm.members.invite(admin, ELVIRA, ORIGIN))).toMatchObject(forbidden)
    expect(await catchRejection(crm.members.resendInvitation(admin, ofOwner.id, ORIGIN))).toMatchObject(
      forbidden,
    )
    expect(await catchRejection(crm.members.withdrawInvitation(admin, ofOwner.id))).toMatchObject(forbidden)
    for (const id of [ofOwner.id, UNKNOWN_ID, 'x'])
      expect(await catchRejection(crm.members.withdrawInvitation(otherOwner, id))).toEqual({
        code: 'not_found',
        message: 'Invitation not found.',
      })
    await crm.members.withdrawInvitation(owner, ofOwner.id)
    expect((await crm.members.invitations(admin)).meta.total).toBe(0)
  })

  test('of a current member, or of an invalid address, is refused', async () => {
    const { crm, owner } = await createTestCrm()
    expect(
      await catchRejection(crm.members.invite(owner, { ...ELVIRA, email: ANN.email }, ORIGIN)),
    ).toMatchObject({ code: 'conflict', fields: { email: 'A record with this value already exists.' } })
    expect(
      await catchRejection(crm.members.invite(owner, { ...ELVIRA, email: OWNER.email }, ORIGIN)),
    ).toMatchObject({ code: 'conflict' })
    expect(
      await catchFieldErrors(crm.members.invite(owner, { ...ELVIRA, email: 'a b' }, ORIGIN)),
    ).toHaveProperty('email')
  })

  test('pages from the latest', async () => {
    const { crm, owner, clock } = await createTestCrm()
    for (const name of ['a', 'b', 'c']) {
      await crm.members.invite(owner, { email: `${name}@new.example`, role: 'member' }, ORIGIN)
      clock.advance(1)
    }
    const page = await crm.members.invitations(owner, { page: 2, per_page: 2 })
    expect(page.data.map(({ email }) => email)).toEqual(['a@new.example'])
    expect(page.meta).toMatchObject({ page: 2, per_page: 2, total: 3 })
  })
})

test('a link that was passed on lets an existing account join only if it is signed in', async () => {
  const base = await createTestCrm({ deliversMail: false })
  const { crm, owner, otherOwner } = base
  const sam = (await signInTestUser(base, 'sam@other.example')).userSession
  const olga = (await signInTestUser(base, OWNER.email)).userSession
  const { link } = await crm.members.invite(owner, { email: sam.user.email, role: 'member' }, ORIGIN)
  const token = link!.split('/').at(-1)!
  expect(await crm.accounts.invitation(token)).toMatchObject({ requires_sign_in: true })
  for (const userSession of [undefined, olga])
    expect(await catchRejection(crm.accounts.acceptInvitation(token, {}, userSession))).toMatchObject({
      code: 'forbidden',
    })
  expect(await catchRejection(crm.members.get(owner, otherOwner.userId))).toEqual(NOT_FOUND)
  expect(await crm.accounts.acceptInvitation(token, {}, sam)).toEqual({ session: undefined })
  expect(await crm.members.get(owner, otherOwner.userId)).toMatchObject({ name: 'Sam', role: 'member' })
})

test('a link that was passed on does not join an account that gets its password meanwhile', async () => {
  const { crm, ports, owner } = await createTestCrm({ deliversMail: false })
  const invitation = { email: 'vera@new.example', role: 'member' } as const
  const { link } = await crm.members.invite(owner, invitation, ORIGIN)
  const setPassword = () =>
    ports.storage.transact(async (tx) => {
      const [user] = await tx.users.find([{ field: 'email', is: invitation.email }])
      await tx.users.update({ ...user!, password_hash: 'hers' })
    })
  const hash = (password: string) => setPassword().then(() => ports.passwords.hash(password))
  const racing = createCrm({ ...ports, passwords: { ...ports.passwords, hash } })
  const input = { name: 'Not Vera', password: 'battery staple' }
  const token = link!.split('/').at(-1)!
  expect(await catchRejection(racing.accounts.acceptInvitation(token, input))).toMatchObject({
    code: 'forbidden',
  })
  expect((await crm.members.invitations(owner)).data).toMatchObject([{ email: invitation.email }])
})

describe('an account made by a link that was passed on', () => {
  const EMAIL = 'vera@new.example'

  /** Somebody made the account of an address by a link of the workspace `acme`. */
  async function withUnverifiedAccount() {
    const base = await createTestCrm({ deliversMail: false })
    const { link } = await base.crm.members.invite(base.owner, { email: EMAIL, role: 'member' }, ORIGIN)
    await base.crm.accounts.acceptInvitation(link!.split('/').at(-1)!, {
      name: 'Not Vera',
      password: 'battery staple',
    })
    // Since then a mail server was set.
    const withMail = createCrm({ ...base.ports, deliversMail: true })
    return { ...base, withMail }
  }

  test('cannot be added by another workspace', async () => {
    const { crm, otherOwner } = await withUnverifiedAccount()
    const rule = {
      email:
        'The account of this address is not verified. Its user must request a new password by e-mail first.',
    }
    const invitation = { email: EMAIL, role: 'member' } as const
    expect(await catchFieldErrors(crm.members.invite(otherOwner, invitation, ORIGIN))).toEqual(rule)
    const input = { workspace: 'other', name: 'Vera', ...invitation }
    expect(await catchFieldErrors(crm.operator.addMember(input))).toEqual(rule)
  })

  test('is verified by a mailed invitation, which replaces name and password', async () => {
    const { withMail: crm, ...base } = await withUnverifiedAccount()
    const { token: sessionBefore } = await signInTestUser(base, EMAIL)
    await crm.members.invite(base.otherOwner, { email: EMAIL, role: 'member' }, ORIGIN)
    const token = await readMailedToken({ crm })
    expect(await crm.accounts.invitation(token)).toMatchObject({ has_password: false })
    expect(await catchFieldErrors(crm.accounts.acceptInvitation(token, {}))).toHaveProperty('password')
    const joined = await crm.accounts.acceptInvitation(token, { name: 'Vera', password: 'mine alone' })
    expect(await crm.accounts.userSession(joined?.session?.token)).toMatchObject({ user: { name: 'Vera' } })
    expect(await crm.accounts.userSession(sessionBefore)).toBeUndefined()
  })

  test('is verified by a mailed reset of the password', async () => {
    const { withMail: crm, ...base } = await withUnverifiedAccount()
    await crm.accounts.requestPasswordReset({ email: EMAIL }, ORIGIN)
    await crm.accounts.resetPassword(await readMailedToken({ crm }), { new_password: 'mine alone' }, ORIGIN)
    await base.crm.members.invite(base.otherOwner, { email: EMAIL, role: 'member' }, ORIGIN)
    expect((await base.crm.members.invitations(base.otherOwner)).data).toMatchObject([{ email: EMAIL }])
  })

  test('enters one workspace only, though two made a link', async () => {
    const { crm, owner, otherOwner } = await createTestCrm({ deliversMail: false })
    const invitation = { email: EMAIL, role: 'member' } as const
    const [first, second] = [
      await crm.members.invite(owner, invitation, ORIGIN),
      await crm.members.invite(otherOwner, invitation, ORIGIN),
    ].map(({ link }) => link!.split('/').at(-1)!)
    const input = { name: 'Vera', password: 'battery staple' }
    expect(await crm.accounts.acceptInvitation(first!, input)).toBeDefined()
    expect(await crm.accounts.invitation(second!)).toBeUndefined()
    expect(await crm.accounts.acceptInvitation(second!, input)).toBeUndefined()
  })
})
