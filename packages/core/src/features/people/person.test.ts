import { describe, expect, test } from 'vitest'
import {
  ANN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  NOON,
  OWNER,
  UNKNOWN_ID,
} from '../../../test/harness.ts'

const LATER = '2026-03-01T13:00:00.000Z'

test('returns a person in full, and without relations in a list', async () => {
  const { crm, owner, clock } = await createTestCrm()
  const company = await crm.companies.create(owner, {
    full_name: 'Acme',
    emails: [{ email: 'hi@acme.example' }],
  })
  const person = await crm.people.create(owner, {
    full_name: ' Ana Souza ',
    emails: [{ email: 'ana@acme.example', type: 'home' }],
    phones: [{ phone: '+55 11 99999-0000' }],
    position: 'Buyer',
    score: 80,
    avatar_url: 'https://img.example/ana.png',
    company_id: company.id.toUpperCase(),
    owner_email: OWNER.email,
  })
  const item = {
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
    entity_id: expect.stringMatching(/^P-[0-9A-Z]{7}$/),
    full_name: 'Ana Souza',
    emails: [{ email: 'ana@acme.example', type: 'home' }],
    phones: [{ phone: '+55 11 99999-0000', type: 'mobile' }],
    position: 'Buyer',
    score: 80,
    avatar_url: 'https://img.example/ana.png',
    owner: { id: owner.userId, ...OWNER },
    custom_fields: [],
    created_at: NOON,
    updated_at: NOON,
  }
  const summary = {
    id: company.id,
    full_name: 'Acme',
    emails: [{ email: 'hi@acme.example', type: 'work' }],
    phones: [],
    created_at: NOON,
    updated_at: NOON,
  }
  expect(person).toEqual({
    ...item,
    company: summary,
    companies: [
      { company_id: company.id, full_name: company.full_name, position: person.position, main: true },
    ],
    tags: [],
    lists: [],
    external_ids: [],
    shared_with: [],
  })
  expect(await crm.people.get(owner, person.id.toUpperCase())).toEqual(person)
  expect(await crm.people.list(owner)).toEqual({
    data: [item],
    meta: { total: 1, page: 1, per_page: 50, has_more: false },
  })

  clock.set(LATER)
  const updated = await crm.people.update(owner, person.id, {
    position: null,
    company_id: null,
    owner_email: null,
    avatar_url: null,
    phones: [],
  })
  expect(updated).toEqual({
    ...person,
    position: null,
    company: null,
    companies: [],
    owner: null,
    avatar_url: null,
    phones: [],
    updated_at: LATER,
  })
  expect(await crm.people.get(owner, person.id)).toEqual(updated)

  await crm.people.remove(owner, person.id)
  expect(await catchRejection(crm.people.get(owner, person.id))).toEqual({
    code: 'not_found',
    message: 'Person not found.',
  })
  expect(await crm.people.list(owner)).toMatchObject({ data: [], meta: { total: 0 } })
})

test('requires only a name', async () => {
  const { crm, owner } = await createTestCrm()
  const person = await crm.people.create(owner, {
    full_name: 'Ana',
    emails: null,
    score: null,
    position: null,
    owner_user_id: null,
  })
  expect(person).toEqual({
    id: person.id,
    entity_id: person.entity_id,
    full_name: 'Ana',
    emails: [],
    phones: [],
    position: null,
    score: 0,
    avatar_url: null,
    owner: null,
    company: null,
    companies: [],
    tags: [],
    lists: [],
    custom_fields: [],
    external_ids: [],
    shared_with: [],
    created_at: NOON,
    updated_at: NOON,
  })
})

describe('the owner of a person', () => {
  test('is given by the id or the e-mail address of a member, in any case', async () => {
    const { crm, owner, ann } = await createTestCrm()
    const byEmail = await crm.people.create(owner, { full_name: 'A', owner_email: 'ANN@Acme.Example' })
    const byId = await crm.people.create(owner, { full_name: 'B', owner_user_id: ann.userId.toUpperCase() })
    expect([byEmail.owner, byId.owner]).toEqual(Array.from({ length: 2 }, () => ({ id: ann.userId, ...ANN })))
  })

  test('cannot be given both ways', async () => {
    const { crm, owner, ann } = await createTestCrm()
    const both = { owner_user_id: ann.userId, owner_email: ANN.email }
    const message = { owner_email: 'Must not be sent together with owner_user_id.' }
    const { id } = await crm.people.create(owner, { full_name: 'A' })
    expect(await catchFieldErrors(crm.people.create(owner, { full_name: 'A', ...both }))).toEqual(message)
    expect(await catchFieldErrors(crm.people.update(owner, id, both))).toEqual(message)
    expect(await catchFieldErrors(crm.people.update(owner, id, { ...both, owner_user_id: null }))).toEqual(
      message,
    )
  })

  test('given both ways is reported with all other errors', async () => {
    const { crm, owner } = await createTestCrm()
    const { id } = await crm.people.create(owner, { full_name: 'A' })
    const sent = { full_name: '', score: 101, owner_user_id: 'ann', owner_email: ANN.email, ownr: 1 }
    const faults = {
      full_name: 'Required.',
      score: 'Must be an integer between 0 and 100.',
      owner_user_id: 'Must be a UUID.',
      owner_email: 'Must not be sent together with owner_user_id.',
      ownr: 'Unknown field.',
    }
    expect(await catchFieldErrors(crm.people.create(owner, sent as never))).toEqual(faults)
    expect(await catchFieldErrors(crm.people.update(owner, id, sent as never))).toEqual(faults)
  })

  test('is an unknown field for record types without an owner', async () => {
    const { crm, owner } = await createTestCrm()
    const sent = { title: 'Visit', owner_user_id: owner.userId, owner_email: OWNER.email }
    expect(await catchFieldErrors(crm.taskTypes.create(owner, sent as never))).toEqual({
      owner_user_id: 'Unknown field.',
      owner_email: 'Unknown field.',
    })
  })

  test('can be given one way while the other is null in a creation', async () => {
    const { crm, owner } = await createTestCrm()
    const person = await crm.people.create(owner, {
      full_name: 'A',
      owner_user_id: null,
      owner_email: ANN.email,
    })
    expect(person.owner).toMatchObject(ANN)
  })

  test.each([
    { owner_email: 'nobody@acme.example' },
    { owner_email: 'sam@other.example' },
    { owner_user_id: UNKNOWN_ID },
  ])('cannot be %j, who are not members', async (owner_) => {
    const { crm, owner } = await createTestCrm()
    const { id } = await crm.people.create(owner, { full_name: 'A' })
    const faults = Object.fromEntries(Object.keys(owner_).map((field) => [field, 'Member not found.']))
    expect(await catchFieldErrors(crm.people.create(owner, { full_name: 'A', ...owner_ }))).toEqual(faults)
    expect(await catchFieldErrors(crm.people.update(owner, id, owner_))).toEqual(faults)
  })

  test('is null after the member has left, who cannot own other records', async () => {
    const { crm, owner, ann } = await createTestCrm()
    const { id } = await crm.people.create(owner, { full_name: 'A', owner_user_id: ann.userId })
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    expect((await crm.people.get(owner, id)).owner).toBeNull()
    expect(await catchFieldErrors(crm.people.update(owner, id, { owner_user_id: ann.userId }))).toEqual({
      owner_user_id: 'Member not found.',
    })
    expect(await catchFieldErrors(crm.people.update(owner, id, { owner_email: ANN.email }))).toEqual({
      owner_email: 'Member not found.',
    })
    expect((await crm.people.update(owner, id, { full_name: 'B' })).owner).toBeNull()
  })
})

describe('the company of a person', () => {
  test('must exist', async () => {
    const { crm, owner, otherOwner } = await createTestCrm()
    const theirs = await crm.companies.create(otherOwner, { full_name: 'Theirs' })
    const deleted = await crm.companies.create(owner, { full_name: 'Gone' })
    await crm.companies.remove(owner, deleted.id)
    for (const company_id of [UNKNOWN_ID, theirs.id, deleted.id]) {
      expect(
        await catchFieldErrors(
          crm.people.create(owner, { full_name: 'A', company_id, owner_email: 'x@y.co' }),
        ),
      ).toEqual({
        company_id: 'Company not found.',
        owner_email: 'Member not found.',
      })
    }
  })

  test('is null after its deletion', async () => {
    const { crm, owner } = await createTestCrm()
    const company = await crm.companies.create(owner, { full_name: 'Acme' })
    const person = await crm.people.create(owner, { full_name: 'A', company_id: company.id })
    await crm.companies.remove(owner, company.id)
    expect(await crm.people.get(owner, person.id)).toEqual({ ...person, company: null, companies: [] })
  })
})

test('filters people by owner, company and time of update', async () => {
  const { crm, owner, clock } = await createTestCrm()
  const company = await crm.companies.create(owner, { full_name: 'Acme' })
  const a = await crm.people.create(owner, { full_name: 'A', owner_email: ANN.email })
  const b = await crm.people.create(owner, { full_name: 'B', company_id: company.id })
  clock.set(LATER)
  await crm.people.update(owner, a.id, { score: 1 })
  const found = async (query: Parameters<typeof crm.people.list>[1]) =>
    (await crm.people.list(owner, query)).data.map(({ full_name }) => full_name)
  expect(await found({ owner_email: 'ANN@acme.example' })).toEqual(['A'])
  expect(await found({ owner_email: 'nobody@acme.example' })).toEqual([])
  expect(await found({ company_id: company.id.toUpperCase() })).toEqual(['B'])
  expect(await found({ company_id: UNKNOWN_ID })).toEqual([])
  expect(await found({ updated_after: '2026-03-01T10:00:00.000-03:00' })).toEqual(['A'])
  expect(await found({ updated_after: NOON, order_by: 'full_name', order: 'asc' })).toEqual(['A', 'B'])
  expect(await found({ company_id: company.id, owner_email: ANN.email })).toEqual([])
  expect(b.owner).toBeNull()
  await crm.companies.remove(owner, company.id)
  expect(await found({ company_id: company.id })).toEqual([])
})
