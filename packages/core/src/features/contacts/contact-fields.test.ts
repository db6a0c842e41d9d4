import { describe, expect, test } from 'vitest'
import { ORIGIN, signInTestUser } from '../../../test/accounts.ts'
import { catchFieldErrors, createTestCrm, NOON, OWNER, type TestCrm } from '../../../test/harness.ts'

const LINK_RULE = 'Must not have ?, &, = or % before the @.'

async function createPerson(emails: readonly string[], phones: readonly string[] = []) {
  const { crm, owner } = await createTestCrm()
  const person = await crm.people.create(owner, {
    full_name: 'Ana',
    emails: emails.map((email) => ({ email })),
    phones: phones.map((phone) => ({ phone })),
  })
  return {
    emails: person.emails.map(({ email }) => email),
    phones: person.phones.map(({ phone }) => phone),
  }
}

/** A person with values that an earlier version took. */
async function withOldPerson(old: object) {
  const base = await createTestCrm()
  const { id } = await base.crm.people.create(base.owner, { full_name: 'Ana' })
  await base.storage.transact(async (tx) => {
    const { people } = tx.workspace(base.owner.workspaceId)
    const stored = await people.get(id)
    await people.update({ ...stored!, ...old })
  })
  base.clock.advance(60)
  return { ...base, id }
}

describe('an e-mail address that would add to a mailto link', () => {
  const address = 'buyer?bcc=spy%40evil.example&x=@x.example'

  test.each([address, 'a?b@x.example', 'a&b@x.example', 'a=b@x.example', 'a%b@x.example'])(
    'is refused in contacts: %s',
    async (email) => {
      const { crm, owner } = await createTestCrm()
      const input = { full_name: 'Ana', emails: [{ email: 'a@x.example' }, { email }] }
      expect(await catchFieldErrors(crm.people.create(owner, input))).toEqual({
        'emails[1].email': LINK_RULE,
      })
      expect(await catchFieldErrors(crm.companies.create(owner, input))).toEqual({
        'emails[1].email': LINK_RULE,
      })
    },
  )

  test.each<[string, string, (base: TestCrm) => Promise<unknown>]>([
    [
      'a new member',
      'email',
      ({ crm }) =>
        crm.operator.addMember({ workspace: 'acme', name: 'Cleo', email: address, role: 'member' }),
    ],
    [
      'an invitation',
      'email',
      async (base) => {
        const { userSession } = await signInTestUser(base, OWNER.email)
        return base.crm.accounts.invite(userSession, 'acme', { email: address, role: 'member' }, ORIGIN)
      },
    ],
    [
      'the owner of a new workspace',
      'owner_email',
      ({ crm }) =>
        crm.operator.createWorkspace({ name: 'New', slug: 'new', owner_name: 'Nia', owner_email: address }),
    ],
  ])('is refused for %s', async (_, field, send) => {
    const base = await createTestCrm()
    expect(await catchFieldErrors(send(base))).toEqual({ [field]: LINK_RULE })
  })

  test('that is stored already names its account', async () => {
    const { crm, owner } = await createTestCrm()
    expect(
      await catchFieldErrors(crm.people.create(owner, { full_name: 'Ana', owner_email: address })),
    ).toEqual({ owner_email: 'Member not found.' })
    expect((await crm.people.list(owner, { owner_email: address })).data).toEqual([])
  })
})

describe('a contact field', () => {
  test.each([
    ['+55\u00a041\u202f90000-6230', '+55 41 90000-6230'],
    ['\u202a+55 41 90000-6230\u202c', '+55 41 90000-6230'],
    ['\u200e+55 41\u200f 90000\u20116230\ufeff', '+55 41 90000-6230'],
  ])('loses the invisible characters of a pasted phone number: %j', async (given, stored) => {
    expect(await createPerson([], [given])).toEqual({ emails: [], phones: [stored] })
  })

  test.each([
    'a\u200bna@x.example',
    '\u200eana@x.example\u00a0',
    '\ufeffana@x\u00ad.example',
    'ana\u2060@x.example\u202c',
  ])('loses the invisible characters of a pasted e-mail address: %j', async (given) => {
    expect(await createPerson([given])).toEqual({ emails: ['ana@x.example'], phones: [] })
  })

  test('is validated without them', async () => {
    const { crm, owner } = await createTestCrm()
    const input = {
      full_name: 'Ana',
      emails: [
        { email: '\u200b' },
        { email: `a@${'\u200b'.repeat(300)}x.example` },
        { email: 'a\u00a0b@x.example' },
      ],
      phones: [{ phone: '1\u200e2' }, { phone: 7 as never }],
    }
    expect(await catchFieldErrors(crm.people.create(owner, input))).toEqual({
      'emails[0].email': 'Must be an e-mail address.',
      'emails[2].email': 'Must be an e-mail address.',
      'phones[0].phone': 'Must be between 3 and 30 characters.',
      'phones[1].phone': 'Must be a string.',
    })
  })

  test('holds each address and number once', async () => {
    const { crm, owner } = await createTestCrm()
    const input = {
      full_name: 'Ana',
      emails: [
        { email: 'Ana@x.example' },
        { email: ' ana@X.example', type: 'home' },
        { email: 'ANA@X.EXAMPLE' },
      ],
      phones: [{ phone: '190' }, { phone: '+55 41 90000-6230' }, { phone: '5541900006230', type: 'work' }],
    }
    const errors = {
      'emails[1].email': 'Must not be the same as another one.',
      'emails[2].email': 'Must not be the same as another one.',
      'phones[2].phone': 'Must not be the same as another one.',
    }
    expect(await catchFieldErrors(crm.people.create(owner, input as never))).toEqual(errors)
    const { id } = await crm.companies.create(owner, { full_name: 'Acme' })
    const { emails, phones } = input
    expect(await catchFieldErrors(crm.companies.update(owner, id, { emails, phones } as never))).toEqual(
      errors,
    )
  })

  test('names a repetition only where the entries are valid', async () => {
    const { crm, owner } = await createTestCrm()
    const emails = [{ email: 'no' }, { email: 'no' }]
    expect(await catchFieldErrors(crm.people.create(owner, { full_name: 'Ana', emails }))).toEqual({
      'emails[0].email': 'Must be an e-mail address.',
      'emails[1].email': 'Must be an e-mail address.',
    })
  })
})

describe('contact fields that were stored under older rules', () => {
  const old = {
    emails: [
      { email: 'a?b@x.example', type: 'work' },
      { email: 'A?b@x.example', type: 'home' },
    ],
    phones: [
      { phone: '190', type: 'work' },
      { phone: '1-90', type: 'work' },
    ],
    avatar_url: 'https://img.example:0/a.png',
  } as const

  test('are read, and stay when other fields change', async () => {
    const { crm, owner, id } = await withOldPerson(old)
    expect(await crm.people.get(owner, id)).toMatchObject(old)
    expect(await crm.people.update(owner, id, { position: 'Buyer' })).toMatchObject({
      ...old,
      position: 'Buyer',
    })
  })

  test('can be sent back unchanged', async () => {
    const { crm, owner, id } = await withOldPerson(old)
    const { emails, phones, avatar_url } = await crm.people.get(owner, id)
    const sent = { emails: [...emails], phones: [...phones], avatar_url }
    expect((await crm.people.update(owner, id, sent)).updated_at).toBe(NOON)
    expect(await crm.people.update(owner, id, { ...sent, full_name: 'Bea' })).toMatchObject({
      ...old,
      full_name: 'Bea',
    })
  })

  test('do not stand for other invalid values', async () => {
    const { crm, owner, id } = await withOldPerson(old)
    const changes = { position: Infinity, company_id: 7, full_name: null, emails: null } as never
    expect(await catchFieldErrors(crm.people.update(owner, id, changes))).toEqual({
      position: 'Must be a string.',
      company_id: 'Must be a string.',
      full_name: 'Must not be null.',
    })
  })

  test('are validated again once they change', async () => {
    const { crm, owner, id } = await withOldPerson(old)
    const emails = [...old.emails, { email: 'c@x.example' }]
    expect(
      await catchFieldErrors(
        crm.people.update(owner, id, { emails, phones: [...old.phones], full_name: '' }),
      ),
    ).toEqual({ 'emails[0].email': LINK_RULE, 'emails[1].email': LINK_RULE, full_name: 'Required.' })
  })
})
