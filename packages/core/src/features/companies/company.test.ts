import { expect, test } from 'vitest'
import { ANN, catchFieldErrors, catchRejection, createTestCrm, NOON, OWNER } from '../../../test/harness.ts'

const LATER = '2026-03-01T13:00:00.000Z'

test('a company is returned with all fields, and without tags and lists in a list', async () => {
  const { crm, owner, clock } = await createTestCrm()
  const company = await crm.companies.create(owner, {
    full_name: 'Acme',
    emails: [{ email: 'hi@acme.example' }],
    phones: [{ phone: '190', type: 'work' }],
    website: 'http://acme.example',
    avatar_url: 'https://img.example/acme.png',
    owner_user_id: owner.userId,
  })
  const item = {
    id: company.id,
    entity_id: expect.stringMatching(/^C-[0-9A-Z]{7}$/),
    full_name: 'Acme',
    emails: [{ email: 'hi@acme.example', type: 'work' }],
    phones: [{ phone: '190', type: 'work' }],
    website: 'http://acme.example',
    avatar_url: 'https://img.example/acme.png',
    owner: { id: owner.userId, ...OWNER },
    custom_fields: [],
    created_at: NOON,
    updated_at: NOON,
  }
  expect(company).toEqual({ ...item, tags: [], lists: [], external_ids: [], shared_with: [] })
  expect(await crm.companies.get(owner, company.id)).toEqual(company)
  expect((await crm.companies.list(owner)).data).toEqual([item])

  clock.set(LATER)
  const updatedCompany = await crm.companies.update(owner, company.id, {
    website: null,
    avatar_url: null,
    owner_user_id: null,
    emails: [],
  })
  expect(updatedCompany).toEqual({
    ...company,
    website: null,
    avatar_url: null,
    owner: null,
    emails: [],
    updated_at: LATER,
  })

  await crm.companies.remove(owner, company.id)
  for (const call of [
    crm.companies.get(owner, company.id),
    crm.companies.update(owner, company.id, { website: null }),
    crm.companies.remove(owner, company.id),
  ]) {
    expect(await catchRejection(call)).toEqual({ code: 'not_found', message: 'Company not found.' })
  }
})

test('a company requires only a name', async () => {
  const { crm, owner } = await createTestCrm()
  const company = await crm.companies.create(owner, { full_name: 'x'.repeat(120) })
  expect(company).toEqual({
    id: company.id,
    entity_id: company.entity_id,
    full_name: 'x'.repeat(120),
    emails: [],
    phones: [],
    website: null,
    avatar_url: null,
    owner: null,
    tags: [],
    lists: [],
    custom_fields: [],
    external_ids: [],
    shared_with: [],
    created_at: NOON,
    updated_at: NOON,
  })
  expect(
    await catchFieldErrors(crm.companies.create(owner, { full_name: 'x'.repeat(121), website: 'acme' })),
  ).toEqual({
    full_name: 'Must be between 1 and 120 characters.',
    website: 'Must be an http or https URL.',
  })
})

test('companies are filtered by owner_email and updated_after', async () => {
  const { crm, owner, clock } = await createTestCrm()
  const a = await crm.companies.create(owner, { full_name: 'A', owner_email: ANN.email })
  await crm.companies.create(owner, { full_name: 'C' })
  clock.set(LATER)
  await crm.companies.create(owner, { full_name: 'B' })
  await crm.companies.update(owner, a.id, { website: 'https://a.example' })
  const listNames = async (query: Parameters<typeof crm.companies.list>[1]) =>
    (await crm.companies.list(owner, query)).data.map(({ full_name }) => full_name)
  expect(await listNames({ owner_email: ANN.email })).toEqual(['A'])
  expect(await listNames({ updated_after: LATER })).toEqual(['B', 'A'])
  expect(await catchFieldErrors(crm.companies.list(owner, { owner_email: 'ann' }))).toEqual({
    owner_email: 'Must be an e-mail address.',
  })
})
