import { describe, expect, test } from 'vitest'
import { catchFieldErrors, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'

async function setUpPeople() {
  const base = await createTestCrm()
  const { crm, owner } = base
  const add = (full_name: string, email?: string, phone?: string) =>
    crm.people.create(owner, {
      full_name,
      ...(email && { emails: [{ email }] }),
      ...(phone && { phones: [{ phone }] }),
    })
  await add('João Conceição', 'jc@padaria.example', '+55 11 99999-1234')
  await add('Joana Dark', 'dark@orleans.example')
  await add('Maria João Pires')
  await add("Ana O'Brien")
  await add('Bia O’Brien', "o'hara@acme.example")
  const findNames = async (search: string) => {
    const { data, meta } = await crm.people.list(owner, { search, order_by: 'full_name', order: 'asc' })
    expect(meta.total).toBe(data.length)
    return data.map(({ full_name }) => full_name)
  }
  return { ...base, findNames }
}

describe('a search', () => {
  test.each([
    ['joao', ['João Conceição', 'Maria João Pires']],
    ['JOÃO', ['João Conceição', 'Maria João Pires']],
    ['joa', ['Joana Dark', 'João Conceição', 'Maria João Pires']],
    ['pires mar', ['Maria João Pires']],
    ['joao jo j joao', ['João Conceição', 'Maria João Pires']],
    ['joao joana', []],
    ['oao', []],
    ['jc@padaria.example', ['João Conceição']],
    ['orleans', ['Joana Dark']],
    ['99999-1234', ['João Conceição']],
    ['(11) 99999', ['João Conceição']],
    ['5511999991234', ['João Conceição']],
    ['+55 11', ['João Conceição']],
    ['1234', ['João Conceição']],
    ['obrien', ["Ana O'Brien", 'Bia O’Brien']],
    ['OBRI', ["Ana O'Brien", 'Bia O’Brien']],
    ["o'brien", ["Ana O'Brien", 'Bia O’Brien']],
    ['o’bri', ["Ana O'Brien", 'Bia O’Brien']],
    ['brien', ["Ana O'Brien", 'Bia O’Brien']],
    ['ohara', ['Bia O’Brien']],
    ['9991', []],
    ["'; drop table people; --", []],
    ['%', null],
    ['_', null],
    ['*', null],
    ['"', null],
  ])('for %j matches %j', async (search, names) => {
    const { findNames } = await setUpPeople()
    if (names) expect(await findNames(search)).toEqual(names)
    else
      expect(await catchFieldErrors(findNames(search))).toEqual({ search: 'Must hold a letter or a digit.' })
  })

  test.each([
    ['', 'Required.'],
    ['   ', 'Required.'],
    [Array.from({ length: 13 }, (_, index) => 100 + index).join(' '), 'Must have at most 12 words.'],
    ['x'.repeat(201), 'Must be between 1 and 200 characters.'],
    ['\ud800', 'Must be valid Unicode text.'],
  ])('for %j is rejected', async (search, message) => {
    const { findNames } = await setUpPeople()
    expect(await catchFieldErrors(findNames(search))).toEqual({ search: message })
  })

  test('reflects updates and never finds deleted records or those of another workspace', async () => {
    const { crm, owner, otherOwner, findNames } = await setUpPeople()
    const [joana] = (await crm.people.list(owner, { search: 'joana' })).data
    await crm.people.update(owner, joana!.id, { full_name: 'Jeanne' })
    expect([await findNames('joana'), await findNames('jeanne')]).toEqual([[], ['Jeanne']])
    await crm.people.remove(owner, joana!.id)
    expect(await findNames('jeanne')).toEqual([])
    expect((await crm.people.list(otherOwner, { search: 'joao' })).data).toEqual([])
  })

  test('does not match the facets of a record', async () => {
    const { crm, owner, findNames } = await setUpPeople()
    const tag = await crm.tags.create(owner, { name: 'Hot' })
    const list = await crm.lists.create(owner, { name: 'VIP' })
    await crm.people.create(owner, { full_name: 'Marked', tags: [tag.id], lists: [list.id] })
    expect([await findNames('tag'), await findNames('list'), await findNames(tag.id.slice(0, 8))]).toEqual([
      [],
      [],
      [],
    ])
  })
})

test('companies are searched like people, and deals by name', async () => {
  const { crm, owner } = await createTestCrm()
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  await crm.companies.create(owner, { full_name: 'Padaria São José', phones: [{ phone: '11 4004-0001' }] })
  await crm.deals.create(owner, { name: 'Fornecimento – Padaria' })
  expect((await crm.companies.list(owner, { search: 'sao padaria' })).meta.total).toBe(1)
  expect((await crm.companies.list(owner, { search: '4004' })).meta.total).toBe(1)
  expect((await crm.deals.list(owner, { search: 'padaria forn' })).meta.total).toBe(1)
  expect((await crm.deals.list(owner, { search: 'jose' })).meta.total).toBe(0)
})

test('deals are filtered by tag and list too', async () => {
  const { crm, owner } = await createTestCrm()
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const [tag, list] = [
    await crm.tags.create(owner, { name: 'Hot' }),
    await crm.lists.create(owner, { name: 'VIP' }),
  ]
  await crm.deals.create(owner, { name: 'A', tags: ['hot'], lists: [list.id] })
  await crm.deals.create(owner, { name: 'B', tags: ['hot'] })
  expect((await crm.deals.list(owner, { tag: tag.key })).meta.total).toBe(2)
  expect((await crm.deals.list(owner, { tag: tag.id, list_id: list.id })).meta.total).toBe(1)
})

test('filters by search, tag, list and owner combine', async () => {
  const { crm, owner, ann } = await createTestCrm()
  const tag = await crm.tags.create(owner, { name: 'Lead Quente' })
  const list = await crm.lists.create(owner, { name: 'VIP' })
  const associations = { tags: [tag.id], lists: [list.id] }
  await crm.people.create(owner, { full_name: 'Ana A', ...associations, owner_user_id: ann.userId })
  await crm.people.create(owner, { full_name: 'Ana B', ...associations })
  await crm.people.create(owner, { full_name: 'Ana C', tags: [tag.id], owner_user_id: ann.userId })
  await crm.people.create(owner, { full_name: 'Bea D', ...associations, owner_user_id: ann.userId })
  const names = async (query: Parameters<typeof crm.people.list>[1]) => {
    const { data } = await crm.people.list(owner, { order_by: 'full_name', order: 'asc', ...query })
    return data.map(({ full_name }) => full_name)
  }
  expect(await names({ tag: tag.id.toUpperCase() })).toEqual(['Ana A', 'Ana B', 'Ana C', 'Bea D'])
  expect(await names({ tag: 'LEAD_quente', list_id: list.id })).toEqual(['Ana A', 'Ana B', 'Bea D'])
  expect(
    await names({ tag: 'lead_quente', list_id: list.id, search: 'ana', owner_email: 'ann@acme.example' }),
  ).toEqual(['Ana A'])
  expect(await names({ tag: 'nothing' })).toEqual([])
  expect(await names({ tag: UNKNOWN_ID })).toEqual([])
  expect(await names({ list_id: UNKNOWN_ID })).toEqual([])
  await crm.tags.remove(owner, 'lead_quente')
  await crm.lists.remove(owner, list.id)
  expect([await names({ tag: tag.id }), await names({ list_id: list.id })]).toEqual([[], []])
  expect(await catchFieldErrors(names({ list_id: 'vip', tag: '' }))).toEqual({
    list_id: 'Must be a UUID.',
    tag: 'Required.',
  })
})
