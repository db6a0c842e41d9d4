import { expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm } from '../../test/harness.ts'

const HUBSPOT = { source: 'hubspot', id: '4711' }
const message = 'A record with this value already exists.'

test('the external ids of a record are unique in its kind, and free again once they are gone', async () => {
  const { crm, owner } = await createTestCrm()
  const ana = await crm.people.create(owner, { full_name: 'Ana', external_ids: [HUBSPOT] })
  expect(ana.external_ids).toEqual([HUBSPOT])
  await crm.companies.create(owner, { full_name: 'Acme', external_ids: [HUBSPOT] })
  const bob = await crm.people.create(owner, {
    full_name: 'Bob',
    external_ids: [{ source: 'hubspot', id: '1' }],
  })
  const taken = { code: 'conflict', message, fields: { 'external_ids[1]': message } }
  const ids = [{ source: 'hubspot', id: '1' }, HUBSPOT]
  expect(await catchRejection(crm.people.update(owner, bob.id, { external_ids: ids }))).toEqual(taken)
  await expect(crm.people.update(owner, bob.id, { external_ids: ids })).rejects.toMatchObject({
    existingIds: [ana.id],
  })
  await crm.people.update(owner, ana.id, { external_ids: null })
  await crm.people.update(owner, bob.id, { external_ids: ids })
  await crm.people.remove(owner, bob.id)
  const carla = await crm.people.create(owner, { full_name: 'Carla', external_ids: ids })
  expect((await crm.people.get(owner, carla.id)).external_ids).toEqual(ids)
})

test('a list finds the record with an external id, and includes them if asked', async () => {
  const { crm, owner } = await createTestCrm()
  const long = { source: 'erp', id: `Ω:${'x'.repeat(250)}` }
  const ana = await crm.people.create(owner, { full_name: 'Ana', external_ids: [HUBSPOT, long] })
  await crm.people.create(owner, { full_name: 'Bob' })
  for (const external_id of ['hubspot:4711', 'HubSpot:4711', `erp:${long.id}`]) {
    const { data } = await crm.people.list(owner, { external_id, include: 'external_ids' })
    expect(data).toMatchObject([{ id: ana.id, external_ids: [HUBSPOT, long] }])
  }
  expect((await crm.people.list(owner, { external_id: 'hubspot:471' })).data).toEqual([])
  expect((await crm.people.list(owner)).data.map((person) => 'external_ids' in person)).toEqual([
    false,
    false,
  ])
  for (const external_id of ['4711', ':4711', 'hubspot:', 'hub spot:1', 'hubspot'])
    expect(await catchFieldErrors(crm.people.list(owner, { external_id }))).toEqual({
      external_id: 'Must be a source and an id, such as hubspot:4711.',
    })
})

test('activities of a record are found by their external ids', async () => {
  const { crm, owner } = await createTestCrm()
  const { id } = await crm.people.create(owner, { full_name: 'Ana' })
  const link = { entity: 'people', entity_id: id } as const
  const call = await crm.activities.create(owner, {
    content_html: 'Called',
    ...link,
    external_ids: [HUBSPOT],
  })
  await crm.activities.create(owner, { content_html: 'Met', ...link })
  const query = { entity: 'people', id, external_id: 'hubspot:4711', include: 'external_ids' } as const
  const { data, meta } = await crm.activities.list(owner, query)
  expect(data).toMatchObject([{ id: call.id, external_ids: [HUBSPOT] }])
  expect(meta.total).toBe(1)
})

test('an external id names its rule', async () => {
  const { crm, owner } = await createTestCrm()
  const create = (external_ids: unknown) =>
    catchFieldErrors(crm.tasks.create(owner, { title: 'Call', external_ids } as never))
  expect(await create([{ source: 'a b', id: '' }])).toEqual({
    'external_ids[0].source': 'Must be lower-case letters and digits, joined by single underscores.',
    'external_ids[0].id': 'Required.',
  })
  expect(await create([HUBSPOT, HUBSPOT])).toEqual({
    'external_ids[1].id': 'Must not be the same as another one.',
  })
  expect(await create(Array.from({ length: 11 }, (_, id) => ({ source: 'a', id: String(id) })))).toEqual({
    external_ids: 'Must have at most 10 entries.',
  })
  expect(await create([{ source: 'a', id: '\ud800' }])).toEqual({
    'external_ids[0].id': 'Must be valid Unicode text.',
  })
})

test('a conflict names who holds the value only to those who may read the kind', async () => {
  const { crm, owner } = await createTestCrm()
  const plan = { name: 'Plan', currency: 'BRL', code: 'P-1' } as const
  const { id } = await crm.products.create(owner, plan)
  await expect(crm.products.create(owner, plan)).rejects.toMatchObject({ existingIds: [id] })
  const writer = { ...owner, scopes: new Set(['products:write', 'people:write'] as const) }
  await expect(crm.products.create(writer, plan)).rejects.toMatchObject({ existingIds: undefined })
  await crm.people.create(owner, { full_name: 'Ana', external_ids: [HUBSPOT] })
  await expect(
    crm.people.create(writer, { full_name: 'Bob', external_ids: [HUBSPOT] }),
  ).rejects.toMatchObject({ code: 'conflict', existingIds: undefined })
})
