import { expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm } from '../../../test/harness.ts'

const HUBSPOT = { source: 'hubspot', id: '4711' }
const SALES = { name: 'Sales', stages: [{ name: 'New' }] } as const

async function createSegmentField(crm: Awaited<ReturnType<typeof createTestCrm>>['crm'], owner: never) {
  return crm.customFields.create(owner, { label: 'Tax id', key: 'tax_id', type: 'cpf', show_deals: true })
}

test.each([
  ['people', { external_id: HUBSPOT }, { full_name: 'Ana' }, { external_ids: [HUBSPOT] }],
  [
    'people',
    { email: 'Ana@X.example' },
    { full_name: 'Ana' },
    { emails: [{ email: 'Ana@X.example', type: 'work' }] },
  ],
  [
    'people',
    { phone: '+55 41 90000-6230' },
    { full_name: 'Ana' },
    { phones: [{ phone: '+55 41 90000-6230' }] },
  ],
  ['companies', { email: 'a@x.example' }, { full_name: 'Acme' }, { emails: [{ email: 'a@x.example' }] }],
  ['companies', { external_id: HUBSPOT }, { full_name: 'Acme' }, { external_ids: [HUBSPOT] }],
  ['deals', { external_id: HUBSPOT }, { name: 'Roof' }, { external_ids: [HUBSPOT] }],
  ['products', { code: 'A-1' }, { name: 'Chair', currency: 'BRL' }, { code: 'A-1' }],
  ['products', { external_id: HUBSPOT }, { name: 'Chair', currency: 'BRL' }, { external_ids: [HUBSPOT] }],
  [
    'people',
    { custom_field: { key: 'tax_id', value: '529.982.247-25' } },
    { full_name: 'Ana' },
    { custom_fields: [{ key: 'tax_id', value: '52998224725' }] },
  ],
] as const)(
  'of %s by %j creates one that holds the value, and then changes it',
  async (kind, match, input, held) => {
    const { crm, owner } = await createTestCrm()
    await crm.pipelines.create(owner, SALES as never)
    await createSegmentField(crm, owner as never)
    const api = crm[kind] as typeof crm.people
    const created = await api.upsert(owner, { match, record: input } as never)
    expect(created).toMatchObject({ isNew: true, data: { ...input, ...held } })
    const [field] = Object.keys(input)
    const changed = await api.upsert(owner, { match, record: { [field!]: 'Other' } } as never)
    expect(changed).toMatchObject({ isNew: false, data: { id: created.data.id, [field!]: 'Other', ...held } })
    expect(await api.upsert(owner, { match, record: {} } as never)).toEqual({
      isNew: false,
      data: changed.data,
    })
    expect((await api.list(owner)).meta.total).toBe(1)
  },
)

test('an e-mail address matches in any case, and a phone number in any form', async () => {
  const { crm, owner } = await createTestCrm({
    parsePhone: (phone) => (phone.startsWith('+') ? undefined : `+55${phone.replaceAll(/\D/g, '')}`),
  })
  const { id } = await crm.people.create(owner, {
    full_name: 'Ana',
    emails: [{ email: 'ana@x.example' }],
    phones: [{ phone: '(41) 90000-6230' }],
  })
  for (const match of [{ email: 'ANA@X.EXAMPLE' }, { phone: '+55 41 90000-6230' }]) {
    const result = await crm.people.upsert(owner, { match, record: { position: 'Buyer' } })
    expect([result.isNew, result.data.id]).toEqual([false, id])
  }
  expect(
    (await crm.people.upsert(owner, { match: { email: 'na@x.example' }, record: { full_name: 'Na' } })).isNew,
  ).toBe(true)
})

test('a record that sends the field without the value is refused, and one with it is not', async () => {
  const { crm, owner } = await createTestCrm()
  const match = { email: 'ana@x.example' }
  const upsert = (record: object) => crm.people.upsert(owner, { match, record })
  const errors = { record: 'Must hold the value of match, or leave its field out.' }
  const other = [{ email: 'other@x.example' }]
  expect(await catchFieldErrors(upsert({ full_name: 'Ana', emails: other }))).toEqual(errors)
  const { data } = await upsert({ full_name: 'Ana', emails: [...other, match] })
  expect(data.emails.map(({ email }) => email)).toEqual(['other@x.example', 'ana@x.example'])
  expect(await catchFieldErrors(upsert({ emails: other }))).toEqual(errors)
  expect(await catchFieldErrors(upsert({ emails: null }))).toEqual(errors)
  const product = { match: { code: 'A' }, record: { name: 'Chair', currency: 'BRL', code: 'B' } } as const
  expect(await catchFieldErrors(crm.products.upsert(owner, product))).toEqual(errors)
})

test('several matches are a conflict that names them', async () => {
  const { crm, owner } = await createTestCrm()
  const emails = [{ email: 'ana@x.example' }]
  const ids: string[] = []
  for (let nth = 0; nth < 12; nth += 1)
    ids.push((await crm.people.create(owner, { full_name: 'Ana', emails })).id)
  const upsert = crm.people.upsert(owner, { match: { email: 'ana@x.example' }, record: { full_name: 'Eva' } })
  await expect(upsert).rejects.toMatchObject({
    code: 'conflict',
    fields: { match: 'Several records hold this value.' },
    existingIds: ids.slice(0, 10),
  })
  for (const id of ids.slice(1)) await crm.people.remove(owner, id)
  const { data } = await crm.people.upsert(owner, {
    match: { email: 'ana@x.example' },
    record: { full_name: 'Eva' },
  })
  expect(data).toMatchObject({ id: ids[0], full_name: 'Eva' })
})

test('errors name the member of the match, or the field below record', async () => {
  const { crm, owner } = await createTestCrm()
  await createSegmentField(crm, owner as never)
  await crm.customFields.create(owner, { label: 'Notes', key: 'notes', type: 'long_text' })
  const errorsOf = (input: unknown) => catchFieldErrors(crm.people.upsert(owner, input as never))
  const record = { full_name: 'Ana' }
  const one = 'Must have exactly one of: external_id, email, phone, custom_field.'
  expect(await errorsOf({ match: {}, record })).toEqual({ match: one })
  expect(await errorsOf({ match: { email: 'a@x.example', phone: '+1 555' }, record })).toEqual({ match: one })
  expect(await errorsOf({ match: { code: 'A' }, record })).toEqual({
    match: one,
    'match.code': 'Unknown field.',
  })
  expect(await errorsOf({ match: { email: 'a' }, record: [] })).toEqual({
    'match.email': 'Must be an e-mail address.',
    record: 'Must be an object.',
  })
  expect(await errorsOf({})).toEqual({ match: 'Required.', record: 'Required.' })
  expect(await errorsOf({ match: { email: 'a@x.example' }, record: { position: 7, nam: 'x' } })).toEqual({
    'record.position': 'Must be a string.',
    'record.nam': expect.stringMatching(/^Unknown field/),
    'record.full_name': 'Required.',
  })
  const custom_field = { key: 'tax_id', value: '1' }
  expect(await errorsOf({ match: { custom_field }, record })).toEqual({
    'match.custom_field.value': expect.any(String),
  })
  expect(await errorsOf({ match: { custom_field: { key: 'gone', value: '1' } }, record })).toEqual({
    'match.custom_field.key': 'Custom field not found.',
  })
  expect(await errorsOf({ match: { custom_field: { key: 'notes', value: '1' } }, record })).toEqual({
    'match.custom_field.key': 'Must be a field of one of the types: text, number, cpf, cnpj, link, date.',
  })
  expect((await crm.people.list(owner)).meta.total).toBe(0)
})

test('a member changes only what it owns or nobody owns, and another workspace is not seen', async () => {
  const { crm, owner, ann, otherOwner } = await createTestCrm()
  const match = { external_id: HUBSPOT }
  const { data } = await crm.people.upsert(owner, {
    match,
    record: { full_name: 'Ana', owner_user_id: owner.userId },
  })
  expect(await catchRejection(crm.people.upsert(ann, { match, record: { full_name: 'Eva' } }))).toMatchObject(
    {
      code: 'forbidden',
    },
  )
  const other = await crm.people.upsert(otherOwner, { match, record: { full_name: 'Ana' } })
  expect([other.isNew, other.data.id === data.id]).toEqual([true, false])
  const reader = { ...owner, scopes: new Set(['people:read'] as const) }
  expect(await catchRejection(crm.people.upsert(reader, { match, record: {} }))).toMatchObject({
    code: 'insufficient_scope',
  })
})
