import { describe, expect, test } from 'vitest'
import {
  ORIGIN,
  readMailedToken,
  runTwenty,
  setTestPassword,
  signInTestUser,
} from '../../../test/accounts.ts'
import { ANN, catchFieldErrors, createTestCrm, OWNER } from '../../../test/harness.ts'

const CLEO = { email: 'cleo@new.example', role: 'member' }
const NEW_USER = { name: ' Cleo New ', password: 'battery staple' }
const SAM = 'sam@other.example'

async function withUserSessions() {
  const base = await createTestCrm()
  const { userSession: olga } = await signInTestUser(base, OWNER.email)
  const { userSession: ada } = await signInTestUser(base, 'ada@acme.example')
  return { ...base, accounts: base.crm.accounts, olga, ada }
}

describe('accepting an invitation', () => {
  async function withInvitation(input: { email: string; role: string } = CLEO) {
    const base = await withUserSessions()
    await base.accounts.invite(base.olga, 'acme', input, ORIGIN)
    const link = await readMailedToken(base)
    const roles = async (email: string) => {
      const { members } = await base.accounts.members(base.olga, 'acme')
      return members.filter((member) => member.email === email).map(({ role }) => role)
    }
    return { ...base, link, roles }
  }

  test('as a new user sets name and password, joins and opens a session', async () => {
    const { accounts, storage, owner, link, roles } = await withInvitation()
    const { session } = (await accounts.acceptInvitation(link, NEW_USER))!
    const userSession = (await accounts.userSession(session?.token))!
    expect(userSession.user).toEqual({ id: userSession.user.id, name: 'Cleo New', email: CLEO.email })
    expect(await storage.read((tx) => tx.users.get(userSession.user.id))).toMatchObject({
      password_hash: 'hash of battery staple',
      workspace_ids: [owner.workspaceId],
    })
    expect(await roles(CLEO.email)).toEqual(['member'])
    expect((await accounts.workspaces(userSession)).map(({ slug }) => slug)).toEqual(['acme'])
    expect(await storage.read((tx) => tx.invitations.find([]))).toEqual([])
  })

  test('as a user with a password joins, changes nothing else and opens no session', async () => {
    const base = await withInvitation({ email: SAM, role: 'admin' })
    await setTestPassword(base, SAM, 'correct horse')
    expect((await base.accounts.invitation(base.link))?.has_password).toBe(true)
    expect(await base.accounts.acceptInvitation(base.link, { ...NEW_USER, more: 1 })).toEqual({
      session: undefined,
    })
    expect(await base.roles(SAM)).toEqual(['admin'])
    expect(await base.storage.read((tx) => tx.users.get(base.otherOwner.userId))).toMatchObject({
      name: 'Sam',
      password_hash: 'hash of correct horse',
    })
  })

  test.each([CLEO.email, SAM])('succeeds once for twenty concurrent attempts, for %s', async (email) => {
    const base = await withInvitation({ email, role: 'member' })
    if (email === SAM) await setTestPassword(base, SAM, 'correct horse')
    const before = await base.storage.read((tx) => tx.sessions.find([]))
    const outcomes = await runTwenty(() => base.accounts.acceptInvitation(base.link, NEW_USER))
    expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(1)
    expect(await base.roles(email)).toEqual(['member'])
    const after = await base.storage.read((tx) => tx.sessions.find([]))
    expect(after.length - before.length).toBe(email === SAM ? 0 : 1)
  })

  test('of two workspaces concurrently as a new user sets one password', async () => {
    const base = await withInvitation()
    const { userSession: sam } = await signInTestUser(base, SAM)
    await base.accounts.invite(sam, 'other', CLEO, ORIGIN)
    const otherLink = await readMailedToken(base)
    const outcomes = await Promise.all([
      base.accounts.acceptInvitation(base.link, NEW_USER),
      base.accounts.acceptInvitation(otherLink, { ...NEW_USER, password: 'something else' }),
    ])
    expect(outcomes.map((outcome) => outcome?.session !== undefined)).toEqual([true, false])
    const userSession = (await base.accounts.userSession(outcomes[0]?.session?.token))!
    expect((await base.accounts.workspaces(userSession)).map(({ slug }) => slug)).toEqual(['acme', 'other'])
    expect(
      await base.accounts.signIn({ email: CLEO.email, password: 'something else' }, ORIGIN),
    ).toBeUndefined()
  })

  test('is possible after an invalid input', async () => {
    const { accounts, link } = await withInvitation()
    expect(
      await catchFieldErrors(accounts.acceptInvitation(link, { name: '', password: 'short', role: 'owner' })),
    ).toEqual({
      name: 'Required.',
      password: 'Must be between 8 and 200 characters.',
      role: 'Unknown field.',
    })
    expect(
      await catchFieldErrors(accounts.acceptInvitation(link, { ...NEW_USER, password: 'password1' })),
    ).toEqual({ password: 'Must not be one of the most common passwords.' })
    expect(await accounts.acceptInvitation(link, NEW_USER)).toBeDefined()
  })

  test('is possible for seven days', async () => {
    const { accounts, link, clock } = await withInvitation()
    clock.advance(7 * 86_400 - 0.001)
    expect(await accounts.invitation(link)).toBeDefined()
    clock.advance(0.001)
    expect(await accounts.invitation(link)).toBeUndefined()
    expect(await accounts.acceptInvitation(link, NEW_USER)).toBeUndefined()
  })

  test('with a forged token returns undefined', async () => {
    const { accounts, link } = await withInvitation()
    const last = link.at(-1) === '0' ? '1' : '0'
    for (const text of [
      '',
      'x',
      `${link.slice(0, -1)}${last}`,
      `${link}\0`,
      link.replace('crm_in_', 'crm_ln_'),
    ]) {
      expect(await accounts.invitation(text)).toBeUndefined()
      expect(await accounts.acceptInvitation(text, NEW_USER)).toBeUndefined()
    }
  })

  test('as a current member changes no role and deletes the invitation', async () => {
    const base = await withInvitation({ email: SAM, role: 'owner' })
    await setTestPassword(base, SAM, 'correct horse')
    await base.crm.operator.addMember({ workspace: 'acme', name: 'Sam', email: SAM, role: 'member' })
    expect(await base.accounts.acceptInvitation(base.link, {})).toEqual({ session: undefined })
    expect(await base.roles(SAM)).toEqual(['member'])
    expect(await base.accounts.invitation(base.link)).toBeUndefined()
  })

  test('restores a removed member, with the records they owned', async () => {
    const base = await withUserSessions()
    const { accounts, crm, owner } = base
    const task = await crm.tasks.create(owner, { title: 'A', owner_email: ANN.email })
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    await accounts.invite(base.olga, 'acme', { email: ANN.email, role: 'admin' }, ORIGIN)
    await accounts.acceptInvitation(await readMailedToken(base), {
      name: ANN.name,
      password: 'battery staple',
    })
    expect((await crm.operator.actorFor({ workspace: 'acme', email: ANN.email })).role).toBe('admin')
    expect(await crm.tasks.get(owner, task.id)).toEqual(task)
  })
})
