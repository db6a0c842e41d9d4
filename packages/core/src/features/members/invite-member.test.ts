import { describe, expect, test } from 'vitest'
import { ORIGIN, OTHER_ORIGIN, readMailedToken, signInTestUser } from '../../../test/accounts.ts'
import {
  ANN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  NOON,
  OWNER,
  secrets,
} from '../../../test/harness.ts'
import { sendAllMail } from '../../../test/mail.ts'

const CONFLICT_MESSAGE = 'A record with this value already exists.'
const CONFLICT = { code: 'conflict', message: CONFLICT_MESSAGE, fields: { email: CONFLICT_MESSAGE } }
const CLEO = { email: 'cleo@new.example', role: 'member' }
const SAM = 'sam@other.example'
const UPDATE_FORBIDDEN = {
  code: 'forbidden',
  message: 'You do not have permission to update this invitation.',
}

async function withUserSessions() {
  const base = await createTestCrm()
  const { userSession: olga } = await signInTestUser(base, OWNER.email)
  const { userSession: ada } = await signInTestUser(base, 'ada@acme.example')
  return { ...base, accounts: base.crm.accounts, olga, ada }
}

function rateLimitError(seconds: number) {
  return { code: 'rate_limit_exceeded', message: `Rate limit exceeded. Try again in ${seconds} seconds.` }
}

describe('inviting', () => {
  test('creates an account without a password, mails a link and stores only its hash', async () => {
    const base = await withUserSessions()
    const invitation = await base.accounts.invite(
      base.olga,
      'ACME',
      { email: 'Cleo@New.example', role: 'admin' },
      ORIGIN,
    )
    const mails = await sendAllMail(base.crm)
    expect(mails).toEqual([
      {
        kind: 'invitation',
        to: 'cleo@new.example',
        language: 'pt-BR',
        workspace_name: 'Acme',
        inviter_name: OWNER.name,
        role: 'admin',
        link: expect.stringMatching(/^https:\/\/crm\.example\/invitations\/crm_in_[0-9a-f]{96}$/),
      },
    ])
    const token = (mails[0] as { link: string }).link.split('/').at(-1)!
    const rows = await base.storage.read(async (tx) => {
      return {
        users: await tx.users.find([{ field: 'email', is: CLEO.email }]),
        invitations: await tx.invitations.find([]),
      }
    })
    const timestamps = { created_at: NOON, updated_at: NOON }
    expect(rows.users).toEqual([
      {
        id: rows.users[0]?.id,
        email: CLEO.email,
        name: 'cleo',
        password_hash: null,
        email_verified_at: null,
        workspace_ids: [],
        ...timestamps,
      },
    ])
    expect(rows.invitations).toEqual([
      {
        id: expect.any(String),
        workspace_id: base.owner.workspaceId,
        user_id: rows.users[0]?.id,
        role: 'admin',
        invited_by: base.owner.userId,
        is_mailed: true,
        token_hash: secrets.hash(token),
        expires_at: '2026-03-08T12:00:00.000Z',
        ...timestamps,
      },
    ])
    expect(invitation).toEqual({ id: rows.invitations[0]?.id, link: undefined })
    expect(await base.accounts.invitation(token)).toEqual({
      workspace_name: 'Acme',
      email: CLEO.email,
      role: 'admin',
      has_password: false,
      requires_sign_in: false,
      workspace_slug: 'acme',
    })
  })

  test('derives a name from a long address', async () => {
    const { accounts, storage, olga } = await withUserSessions()
    const email = `${'a'.repeat(64)}@new.example`
    await accounts.invite(olga, 'acme', { email, role: 'member' }, ORIGIN)
    expect(await storage.read((tx) => tx.users.find([{ field: 'email', is: email }]))).toMatchObject([
      { name: 'a'.repeat(64) },
    ])
  })

  test('again invalidates the previous link', async () => {
    const base = await withUserSessions()
    const previous = await base.accounts.invite(base.olga, 'acme', { ...CLEO, role: 'admin' }, ORIGIN)
    const firstLink = await readMailedToken(base)
    const { id } = await base.accounts.invite(base.ada, 'acme', CLEO, ORIGIN)
    const secondLink = await readMailedToken(base)
    expect(id).not.toBe(previous.id)
    expect(await base.accounts.invitation(firstLink)).toBeUndefined()
    expect((await base.accounts.invitation(secondLink))?.role).toBe('member')
    expect(await base.storage.read((tx) => tx.invitations.find([]))).toMatchObject([
      { id, invited_by: base.admin.userId },
    ])
  })

  test('again someone invited as owner requires an owner', async () => {
    const base = await withUserSessions()
    await base.accounts.invite(base.olga, 'acme', { ...CLEO, role: 'owner' }, ORIGIN)
    const firstLink = await readMailedToken(base)
    expect(await catchRejection(base.accounts.invite(base.ada, 'acme', CLEO, ORIGIN))).toEqual(
      UPDATE_FORBIDDEN,
    )
    expect(await sendAllMail(base.crm)).toEqual([])
    expect((await base.accounts.invitation(firstLink))?.role).toBe('owner')
    await base.accounts.invite(base.olga, 'acme', CLEO, ORIGIN)
    expect(await base.accounts.invitation(firstLink)).toBeUndefined()
    expect((await base.accounts.invitation(await readMailedToken(base)))?.role).toBe('member')
  })

  test('is not affected by an owner invitation to another workspace', async () => {
    const base = await withUserSessions()
    const { userSession: sam } = await signInTestUser(base, SAM)
    await base.accounts.invite(sam, 'other', { ...CLEO, role: 'owner' }, ORIGIN)
    const otherLink = await readMailedToken(base)
    await base.accounts.invite(base.ada, 'acme', CLEO, ORIGIN)
    expect((await base.accounts.invitation(otherLink))?.workspace_name).toBe('Other')
  })

  test('a current member is a conflict, unlike a removed one', async () => {
    const { accounts, crm, olga, ada } = await withUserSessions()
    expect(
      await catchRejection(
        accounts.invite(ada, 'acme', { email: 'ANN@acme.example', role: 'member' }, ORIGIN),
      ),
    ).toEqual(CONFLICT)
    expect(
      await catchRejection(accounts.invite(olga, 'acme', { email: OWNER.email, role: 'owner' }, ORIGIN)),
    ).toEqual(CONFLICT)
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    await accounts.invite(ada, 'acme', { email: ANN.email, role: 'member' }, ORIGIN)
  })

  test('an owner requires an owner', async () => {
    const { accounts, storage, olga, ada } = await withUserSessions()
    const forbidden = { code: 'forbidden', message: 'You do not have permission to create this member.' }
    expect(await catchRejection(accounts.invite(ada, 'acme', { ...CLEO, role: 'owner' }, ORIGIN))).toEqual(
      forbidden,
    )
    expect(await storage.read((tx) => tx.users.find([{ field: 'email', is: CLEO.email }]))).toEqual([])
    await accounts.invite(olga, 'acme', { ...CLEO, role: 'owner' }, ORIGIN)
  })

  test('reports every invalid field', async () => {
    const { accounts, olga } = await withUserSessions()
    expect(await catchFieldErrors(accounts.invite(olga, 'nowhere', {}, ORIGIN))).toEqual({
      email: 'Required.',
      role: 'Required.',
    })
    expect(
      await catchFieldErrors(
        accounts.invite(olga, 'acme', { email: 'a@b\r\nBcc: c@d.co', role: 'root', name: 'x' }, ORIGIN),
      ),
    ).toEqual({
      email: 'Must not contain control characters.',
      role: 'Must be one of: owner, admin, member.',
      name: 'Unknown field.',
    })
  })

  test('the same address is limited to three per hour and workspace', async () => {
    const base = await withUserSessions()
    const { userSession: sam } = await signInTestUser(base, SAM)
    await base.accounts.invite(base.olga, 'acme', CLEO, ORIGIN)
    await base.accounts.invite(base.ada, 'acme', CLEO, OTHER_ORIGIN)
    await base.accounts.invite(base.olga, 'acme', CLEO, ORIGIN)
    expect(
      await catchRejection(
        base.accounts.invite(base.ada, 'ACME', { ...CLEO, email: 'CLEO@new.example' }, ORIGIN),
      ),
    ).toEqual(rateLimitError(3600))
    await base.accounts.invite(base.ada, 'acme', { ...CLEO, email: 'dan@new.example' }, ORIGIN)
    await base.accounts.invite(sam, 'other', CLEO, ORIGIN)
    base.clock.advance(3600)
    await base.accounts.invite(base.ada, 'acme', CLEO, ORIGIN)
  })

  test('the same address is limited to ten per hour across workspaces', async () => {
    const base = await withUserSessions()
    const { userSession: sam } = await signInTestUser(base, SAM)
    const slugs = ['other', 'two', 'three', 'four']
    for (const slug of slugs.slice(1))
      await base.crm.operator.createWorkspace({ name: slug, slug, owner_name: 'Sam', owner_email: SAM })
    for (let nth = 0; nth < 10; nth += 1) await base.accounts.invite(sam, slugs[nth % 4]!, CLEO, ORIGIN)
    const invite = () =>
      base.accounts.invite(base.olga, 'acme', { ...CLEO, email: 'CLEO@new.example' }, OTHER_ORIGIN)
    expect(await catchRejection(invite)).toEqual(rateLimitError(3600))
    expect(await sendAllMail(base.crm)).toHaveLength(10)
    await base.accounts.invite(sam, 'four', { ...CLEO, email: 'dan@new.example' }, ORIGIN)
    base.clock.advance(3600)
    await invite()
  })

  test('is limited to a hundred per day and workspace', async () => {
    const base = await withUserSessions()
    for (let nth = 0; nth < 100; nth += 1)
      await base.accounts.invite(base.olga, 'acme', { ...CLEO, email: `x${nth}@new.example` }, ORIGIN)
    expect(await catchRejection(base.accounts.invite(base.ada, 'acme', CLEO, OTHER_ORIGIN))).toEqual(
      rateLimitError(86_400),
    )
    const { userSession: sam } = await signInTestUser(base, SAM)
    await base.accounts.invite(sam, 'other', CLEO, ORIGIN)
  })

  test('a new address concurrently creates one account and one invitation per workspace', async () => {
    const base = await withUserSessions()
    const { accounts, storage, olga, ada } = base
    const { userSession: sam } = await signInTestUser(base, SAM)
    await Promise.all([
      accounts.invite(olga, 'acme', CLEO, ORIGIN),
      accounts.invite(ada, 'acme', CLEO, ORIGIN),
      accounts.invite(sam, 'other', CLEO, ORIGIN),
    ])
    const users = await storage.read((tx) => tx.users.find([{ field: 'email', is: CLEO.email }]))
    expect(users).toHaveLength(1)
    const invitations = await storage.read((tx) => tx.invitations.find([]))
    expect(invitations.map(({ user_id }) => user_id)).toEqual([users[0]?.id, users[0]?.id])
    expect(new Set(invitations.map(({ workspace_id }) => workspace_id)).size).toBe(2)
  })

  test('is retried if another process creates the account first', async () => {
    const base = await withUserSessions()
    const { accounts, storage, olga } = base
    const { userSession: sam } = await signInTestUser(base, SAM)
    await accounts.invite(sam, 'other', CLEO, ORIGIN)
    const { transact } = storage
    let lookups = 0
    // Simulates another process that creates the account after the first lookup.
    const racingTransact: typeof transact = (work) =>
      transact((tx) => {
        const find: typeof tx.users.find = async (where) => (++lookups === 1 ? [] : tx.users.find(where))
        return work(Object.create(tx, { users: { value: Object.assign(Object.create(tx.users), { find }) } }))
      })
    Object.assign(storage, { transact: racingTransact })
    await accounts.invite(olga, 'acme', CLEO, ORIGIN)
    expect(lookups).toBe(2)
    expect(await storage.read((tx) => tx.invitations.find([]))).toHaveLength(2)
  })
})
