import { expect, test } from 'vitest'
import { catchRejection, createTestCrm } from '../../../test/harness.ts'

async function setUpDeal() {
  const base = await createTestCrm()
  const { crm, owner } = base
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const create = async (full_name: string, input: object = {}) =>
    (await crm.people.create(owner, { full_name, ...input })).id
  const [ana, bob, cid] = [await create('Ana'), await create('Bob'), await create('Cid')]
  const deal = await crm.deals.create(owner, {
    name: 'Desks',
    people: [
      { person_id: bob, role: 'User' },
      { person_id: ana, role: 'Decision maker', main: true },
      { person_id: cid },
    ],
  })
  const entry = (person_id: string, full_name: string, role: string | null, main = false) => ({
    ...{ person_id, full_name, role, main },
  })
  return { ...base, create, ana, bob, cid, deal, entry }
}

test('a deal has people with roles, of whom the main one is its person', async () => {
  const { crm, owner, ana, bob, cid, deal, entry } = await setUpDeal()
  expect(deal.people).toEqual([
    entry(ana, 'Ana', 'Decision maker', true),
    entry(bob, 'Bob', 'User'),
    entry(cid, 'Cid', null),
  ])
  expect(deal.person).toMatchObject({ id: ana })
  const promoted = await crm.deals.update(owner, deal.id, { person_id: bob })
  expect(promoted.people.map(({ role, main }) => [role, main])).toEqual([
    ['User', true],
    ['Decision maker', false],
    [null, false],
  ])
  const nobody = await crm.deals.update(owner, deal.id, { person_id: null })
  expect(nobody.person).toBe(null)
  expect(nobody.people).toEqual([entry(ana, 'Ana', 'Decision maker'), entry(cid, 'Cid', null)])
  await crm.people.remove(owner, ana)
  expect((await crm.deals.get(owner, deal.id)).people).toEqual([entry(cid, 'Cid', null)])
  expect((await crm.deals.list(owner, { include: 'people' })).data[0]!.people).toHaveLength(1)
  expect((await crm.deals.list(owner)).data[0]).not.toHaveProperty('people')
  expect((await crm.deals.update(owner, deal.id, { people: null })).people).toEqual([])
})

test('lists, filters, timelines and the deals of a person count every role', async () => {
  const { crm, owner, bob, cid, deal } = await setUpDeal()
  const find = async (query: object) => (await crm.deals.list(owner, query)).data.map(({ id }) => id)
  expect(await find({ person_id: bob })).toEqual([deal.id])
  expect(await find({ filter: { field: 'person', op: 'is', value: bob } })).toEqual([deal.id])
  expect(await find({ filter: { field: 'person', op: 'is_not', value: bob } })).toEqual([])
  const { data } = await crm.people.timeline(owner, cid)
  expect(data.map(({ kind }) => kind)).toEqual(['deal'])
  await crm.people.update(owner, bob, { deals: [deal.id] })
  expect((await crm.deals.get(owner, deal.id)).people[1]).toMatchObject({ person_id: bob, role: 'User' })
  await crm.people.update(owner, bob, { deals: [] })
  expect(await find({ person_id: bob })).toEqual([])
  expect((await crm.deals.get(owner, deal.id)).people).toHaveLength(2)
})

test('a wrong list is refused by the entry', async () => {
  const { crm, owner, ana, bob, deal } = await setUpDeal()
  const update = async (input: object) =>
    ((await catchRejection(crm.deals.update(owner, deal.id, input))) as { fields: object }).fields
  const other = '01a1fc31-2860-78c5-98aa-1e202d361899'
  expect(await update({ people: [{ person_id: ana }, { person_id: other }] })).toEqual({
    'people[1].person_id': 'Person not found.',
  })
  expect(await update({ people: [{ person_id: ana }], person_id: bob })).toEqual({
    person_id: 'Must not be sent together with people.',
  })
  const twice = [
    { person_id: ana, main: true },
    { person_id: ana.toUpperCase(), main: true },
  ]
  expect(await update({ people: twice })).toMatchObject({
    'people[1].person_id': 'Must not be the same as another one.',
  })
  expect(await update({ people: [twice[0], { person_id: bob, main: true }] })).toEqual({
    'people[1].main': 'Must not be the same as another one.',
  })
  expect(await update({ people: [{ person_id: ana, role: 'x'.repeat(61) }] })).toHaveProperty([
    'people[0].role',
  ])
  expect(await update({ people: Array.from({ length: 21 }, () => ({ person_id: ana })) })).toHaveProperty([
    'people',
  ])
})

test('a person whom the reader may not see stays without a name', async () => {
  const { crm, owner, ann, ana, bob, cid, deal, entry } = await setUpDeal()
  await crm.people.update(owner, ana, { owner_user_id: owner.userId })
  await crm.deals.update(owner, deal.id, { owner_user_id: ann.userId })
  await crm.workspace.update(owner, { visibility: { people: 'owner' } })
  const hidden = { person_id: null, full_name: null, role: null, main: true }
  const seen = await crm.deals.get(ann, deal.id)
  expect(seen.people).toEqual([hidden, entry(bob, 'Bob', 'User'), entry(cid, 'Cid', null)])
  const changed = await crm.deals.update(ann, deal.id, { people: [{ person_id: cid, role: 'Payer' }] })
  expect(changed.people).toEqual([hidden, entry(cid, 'Cid', 'Payer')])
  const cleared = await crm.deals.update(ann, deal.id, { people: [{ person_id: cid, role: null }] })
  expect(cleared.people).toEqual([hidden, entry(cid, 'Cid', null)])
  expect((await crm.deals.get(owner, deal.id)).people[0]).toEqual(entry(ana, 'Ana', 'Decision maker', true))
  expect(
    (await catchRejection(crm.deals.update(ann, deal.id, { people: [{ person_id: ana }] }))) as object,
  ).toMatchObject({ fields: { 'people[0].person_id': 'Person not found.' } })
})

test('a person has several companies with a position each', async () => {
  const { crm, owner, create } = await setUpDeal()
  const acme = await crm.companies.create(owner, { full_name: 'Acme' })
  const bolt = await crm.companies.create(owner, { full_name: 'Bolt' })
  const id = await create('Eva', { company_id: acme.id, position: 'Buyer' })
  const companies = [{ company_id: acme.id }, { company_id: bolt.id, position: 'Board', main: true }]
  const eva = await crm.people.update(owner, id, { companies })
  expect([eva.position, eva.company?.id]).toEqual(['Board', bolt.id])
  expect(eva.companies).toEqual([
    { company_id: bolt.id, full_name: 'Bolt', position: 'Board', main: true },
    { company_id: acme.id, full_name: 'Acme', position: 'Buyer', main: false },
  ])
  const list = async (company_id: string) => (await crm.people.list(owner, { company_id })).meta.total
  expect([await list(acme.id), await list(bolt.id)]).toEqual([1, 1])
  const back = await crm.people.update(owner, id, { company_id: acme.id })
  expect([back.position, back.company?.id]).toEqual(['Buyer', acme.id])
  expect((await crm.people.update(owner, id, { company_id: null })).position).toBe('Buyer')
  const both = crm.people.update(owner, id, { companies, position: 'Boss' })
  expect(await catchRejection(both)).toMatchObject({
    fields: { position: 'Must not be sent together with companies.' },
  })
})
