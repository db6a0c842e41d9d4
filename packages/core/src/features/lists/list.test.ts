import { expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, NOON } from '../../../test/harness.ts'

test('a list is created, read, updated and deleted', async () => {
  const { crm, owner, clock } = await createTestCrm()
  const list = await crm.lists.create(owner, { name: 'VIP', description: 'Our best\nby far' })
  expect(list).toEqual({
    id: list.id,
    name: 'VIP',
    description: 'Our best\nby far',
    records_count: 0,
    created_at: NOON,
    updated_at: NOON,
  })
  clock.advance(60)
  const updatedList = await crm.lists.update(owner, list.id, { description: null })
  expect(updatedList).toEqual({ ...list, description: null, updated_at: '2026-03-01T12:01:00.000Z' })
  expect((await crm.lists.list(owner)).data).toEqual([updatedList])
  await crm.lists.remove(owner, list.id)
  expect(await catchRejection(crm.lists.get(owner, list.id))).toEqual({
    code: 'not_found',
    message: 'List not found.',
  })
})

test('a list counts the live people, companies and deals on it', async () => {
  const { crm, owner, otherOwner } = await createTestCrm()
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const [vip, all] = [
    await crm.lists.create(owner, { name: 'VIP' }),
    await crm.lists.create(owner, { name: 'All' }),
  ]
  const ana = await crm.people.create(owner, { full_name: 'Ana', lists: [vip.id, all.id] })
  const bob = await crm.people.create(owner, { full_name: 'Bob', lists: [all.id, all.id.toUpperCase()] })
  await crm.companies.create(owner, { full_name: 'Acme', lists: [all.id] })
  const deal = await crm.deals.create(owner, { name: 'Big', lists: [all.id] })
  const counts = async () => {
    const { data } = await crm.lists.list(owner, { order_by: 'name', order: 'asc' })
    return data.map(({ name, records_count }) => `${name} ${records_count}`)
  }
  expect(await counts()).toEqual(['All 4', 'VIP 1'])
  await crm.people.update(owner, ana.id, { lists: [all.id] })
  await crm.people.remove(owner, bob.id)
  await crm.deals.update(owner, deal.id, { lists: null as never })
  expect(await counts()).toEqual(['All 2', 'VIP 0'])
  expect((await crm.lists.get(owner, all.id)).records_count).toBe(2)
  expect((await crm.lists.create(otherOwner, { name: 'VIP' })).records_count).toBe(0)
})

test('all invalid fields of a list are reported together', async () => {
  const { crm, owner } = await createTestCrm()
  expect(
    await catchFieldErrors(
      crm.lists.create(owner, { name: '', description: 'x'.repeat(501), records_count: 9 } as never),
    ),
  ).toEqual({
    name: 'Required.',
    description: 'Must be at most 500 characters.',
    records_count: 'Unknown field.',
  })
})
