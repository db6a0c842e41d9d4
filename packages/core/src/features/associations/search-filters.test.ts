import { describe, expect, test } from 'vitest'
import { catchFieldErrors, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'

async function contacts() {
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
  const found = async (search: string) => {
    const { data, meta } = await crm.people.list(owner, { search, order_by: 'full_name', order: 'asc' })
    expect(meta.total).toBe(data.length)
    return data.map(({ full_name }) => full_name)
  }
  return { ...base, found }
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
    ['9991', []],
    ["'; drop table people; --", []],
    ['%', null],
    ['_', null],
    ['*', null],
    ['"', null],
  ])('for %j', async (search, names) => {
    const { found } = await contacts()
    if (names) expect(await found(search)).toEqual(names)
    else expect(await catchFieldErrors(found(search))).toEqual({ search: 'Must hold a letter or a digit.' })
  })

  test.each([
    ['', 'Required.'],
    ['   ', 'Required.'],
    [Array.from({ length: 41 }, (_, index) => 100 + index).join(' '), 'Must have at most 40 words.'],
    ['x'.repeat(201), 'Must be between 1 and 200 characters.'],
    ['\ud800', 'Must be valid Unicode text.'],
  ])('for %j is refused', async (search, rule) => {
    const { found } = await contacts()
    expect(await catchFieldErrors(found(search))).toEqual({ search: rule })
  })

  test('follows a change, and never finds a deleted record or those of another workspace', async () => {
    const { crm, owner, otherOwner, found } = await contacts()
    const [joana] = (await crm.people.list(owner, { search: 'joana' })).data
    await crm.people.update(owner, joana!.id, { full_name: 'Jeanne' })
    expect([await found('joana'), await found('jeanne')]).toEqual([[], ['Jeanne']])
    await crm.people.remove(owner, joana!.id)
    expect(await found('jeanne')).toEqual([])
    expect((await crm.people.list(otherOwner, { search: 'joao' })).data).toEqual([])
  })

  test('cannot come upon what a record is marked with', async () => {
    const { crm, owner, found } = await contacts()
    const tag = await crm.tags.create(owner, { name: 'Hot' })
    const list = await crm.lists.create(owner, { name: 'VIP' })
    await crm.people.create(owner, { full_name: 'Marked', tags: [tag.id], lists: [list.id] })
    expect([await found('tag'), await found('list'), await found(tag.id.slice(0, 8))]).toEqual([[], [], []])
  })
})

test('companies are searched as people are, deals by name', async () => {
  const { crm, owner } = await createTestCrm()
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  await crm.companies.create(owner, { full_name: 'Padaria São José', phones: [{ phone: '11 4004-0001' }] })
  await crm.deals.create(owner, { name: 'Fornecimento – Padaria' })
  expect((await crm.companies.list(owner, { search: 'sao padaria' })).meta.total).toBe(1)
  expect((await crm.companies.list(owner, { search: '4004' })).meta.total).toBe(1)
  expect((await crm.deals.list(owner, { search: 'padaria forn' })).meta.total).toBe(1)
  expect((await crm.deals.list(owner, { search: 'jose' })).meta.total).toBe(0)
})

test('deals are found by tag and list too', async () => {
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

test('filters by search, tag, list and owner hold together', async () => {
  const { crm, owner, ann } = await createTestCrm()
  const tag = await crm.tags.create(owner, { name: 'Lead Quente' })
  const list = await crm.lists.create(owner, { name: 'VIP' })
  const both = { tags: [tag.id], lists: [list.id] }
  await crm.people.create(owner, { full_name: 'Ana A', ...both, owner_user_id: ann.userId })
  await crm.people.create(owner, { full_name: 'Ana B', ...both })
  await crm.people.create(owner, { full_name: 'Ana C', tags: [tag.id], owner_user_id: ann.userId })
  await crm.people.create(owner, { full_name: 'Bea D', ...both, owner_user_id: ann.userId })
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
