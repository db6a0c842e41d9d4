import { describe, expect, test } from 'vitest'
import { createTestCrm } from '../../../test/harness.ts'

/** As the service parses numbers, of Brazil without a code of a country. */
const parsePhone = (phone: string, country: string | null) => {
  const digits = phone.replaceAll(/\D/g, '')
  if (phone.startsWith('+')) return `+${digits}`
  return country === 'BR' && digits.length >= 10 ? `+55${digits.replace(/^0/, '')}` : undefined
}

async function setUpContacts(country: string | null = 'BR') {
  const base = await createTestCrm({ parsePhone })
  const { crm, owner } = base
  await crm.workspace.update(owner, { country: country as 'BR' })
  const findNames = async (search: string) => {
    const { data, meta } = await crm.people.list(owner, { search, order_by: 'full_name', order: 'asc' })
    expect(meta.total).toBe(data.length)
    return data.map(({ full_name }) => full_name).join()
  }
  const addPhone = (full_name: string, phone: string) =>
    crm.people.create(owner, { full_name, phones: [{ phone }] })
  return { ...base, findNames, addPhone }
}

/** One number, in the forms in which people write it. */
const FORMS = [
  '+55 11 98888-7777',
  '+5511988887777',
  '11 988887777',
  '(11) 98888 7777',
  '11988887777',
  '011 98888.7777',
  '+55 (11) 98888\u20117777',
  '11 98888-7777 ramal 12',
]

describe('a search for a phone number', () => {
  test.each(FORMS.slice(0, 5))('that is stored as %s finds it in every form', async (stored) => {
    const { findNames, addPhone } = await setUpContacts()
    await addPhone('Ana', stored)
    await addPhone('Bia', '+55 11 98888-7778')
    for (const form of FORMS) expect([form, await findNames(form)]).toEqual([form, 'Ana'])
  })

  test.each(FORMS.slice(0, 2))('that is stored as %s needs no country', async (stored) => {
    const { findNames, addPhone } = await setUpContacts(null)
    await addPhone('Ana', stored)
    for (const form of FORMS.slice(0, 5)) expect([form, await findNames(form)]).toEqual([form, 'Ana'])
  })

  test('finds an extension, a part of a number, and what is no number', async () => {
    const { crm, owner, findNames, addPhone } = await setUpContacts()
    await addPhone('Ana', '4321')
    await addPhone('Bia', '+55 11 98888-4321')
    await crm.people.create(owner, { full_name: 'Box 1122 3344 5566' })
    expect(await findNames('4321')).toBe('Ana,Bia')
    expect(await findNames('98888')).toBe('Bia')
    expect(await findNames('1122 3344 5566')).toBe('Box 1122 3344 5566')
    expect(await findNames('+1 (0')).toBe('')
  })

  test('finds no hidden, deleted or foreign number', async () => {
    const { crm, owner, ann, otherOwner, addPhone, findNames } = await setUpContacts()
    const { id } = await addPhone('Ana', '+55 11 98888-7777')
    await crm.people.update(owner, id, { owner_user_id: owner.userId })
    await crm.workspace.update(owner, { visibility: { people: 'owner' } })
    const totalOf = async (actor: typeof ann) =>
      (await crm.people.list(actor, { search: '11 988887777' })).meta.total
    expect([await totalOf(owner), await totalOf(ann), await totalOf(otherOwner)]).toEqual([1, 0, 0])
    await crm.people.remove(owner, id)
    expect(await findNames('11 988887777')).toBe('')
  })
})

describe('a search for a public code', () => {
  test('finds its record in any case, and no other', async () => {
    const { crm, owner, ann, otherOwner, findNames } = await setUpContacts()
    const { id, entity_id } = await crm.people.create(owner, { full_name: 'Ana' })
    await crm.people.create(owner, { full_name: `Says ${entity_id}` })
    for (const code of [entity_id, entity_id.toLowerCase(), ` ${entity_id} `])
      expect(await findNames(code)).toBe('Ana')
    expect(await findNames(entity_id.slice(0, -1))).toContain('Says')
    const results = await crm.searchRecords(owner, { search: entity_id.toLowerCase() })
    expect([results.people?.total, results.companies?.total, results.deals?.total]).toEqual([1, 0, 0])
    expect((await crm.people.list(otherOwner, { search: entity_id })).meta.total).toBe(0)
    await crm.people.update(owner, id, { owner_user_id: owner.userId })
    await crm.workspace.update(owner, { visibility: { people: 'owner' } })
    const search = { search: entity_id }
    expect((await crm.people.list(ann, search)).data.map((each) => each.full_name)).toEqual([
      `Says ${entity_id}`,
    ])
    await crm.people.remove(owner, id)
    expect(await findNames(entity_id)).toBe(`Says ${entity_id}`)
  })

  test('finds words that look like one if no record has it', async () => {
    const { crm, owner } = await setUpContacts()
    await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
    await crm.deals.create(owner, { name: 'Order D-1234567-XL' })
    await crm.products.create(owner, { name: 'Chair', code: 'P-1234567', currency: 'BRL' })
    expect((await crm.deals.list(owner, { search: 'd-1234567' })).meta.total).toBe(1)
    expect((await crm.products.list(owner, { search: 'P-1234567' })).meta.total).toBe(1)
  })
})
