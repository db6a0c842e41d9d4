import { expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm } from '../../../test/harness.ts'

const NO_POSITION = { field: 'position', op: 'is_empty' }

async function setUp() {
  const base = await createTestCrm()
  const { crm, owner, ann, ben } = base
  await crm.customFields.create(owner, { label: 'Size', key: 'size', type: 'number', show_people: true })
  for (const [full_name, owner_user_id, size] of [
    ['Ana', ann.userId, 3],
    ['Bia', ben.userId, 5],
    ['Caio', null, 9],
  ] as const)
    await crm.people.create(owner, {
      full_name,
      owner_user_id,
      custom_fields: [{ key: 'size', value: size }],
    })
  const namesOf = async (actor: typeof owner, query: Parameters<typeof crm.people.list>[1]) =>
    (await crm.people.list(actor, query)).data.map(({ full_name }) => full_name).join(' ')
  return { ...base, namesOf }
}

test('a view filters and orders lists, exports and aggregates, as its reader', async () => {
  const { crm, owner, ann, ben, namesOf } = await setUp()
  const { id: view, ...created } = await crm.views.create(ann, {
    ...{ kind: 'people', name: 'Mine', shared: 'everyone' },
    ...{ filter: { field: 'owner', op: 'any_of', value: ['me', 'nobody'] } },
    ...{ order_by: 'custom_fields.size', order: 'desc' },
  })
  expect(created).toMatchObject({
    ...{ layout: 'table', group_by: null, columns: null, default_for: [], missing_fields: [] },
    owner: { id: ann.userId },
  })
  expect(await namesOf(ann, { view })).toBe('Caio Ana')
  expect(await namesOf(ben, { view })).toBe('Caio Bia')
  expect(await namesOf(owner, { view })).toBe('Caio')
  expect(await namesOf(ann, { view, order: 'asc' })).toBe('Ana Caio')
  expect(await namesOf(ann, { view, order_by: 'full_name', order: 'asc' })).toBe('Ana Caio')
  expect(await namesOf(ann, { view, filter: { field: 'custom_fields.size', op: 'greater', value: 3 } })).toBe(
    'Caio',
  )
  let exported = ''
  for await (const text of crm.people.export(ben, { view, format: 'ndjson' })) exported += text
  expect(
    exported
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).full_name),
  ).toEqual(['Caio', 'Bia'])
  const { groups } = await crm.reports.aggregate(ben, {
    ...{ entity: 'people', metric: 'count', filter: { view } },
  })
  expect(groups).toMatchObject([{ count: 2 }])
  expect(await crm.views.counts(ben)).toEqual([{ id: view, count: 2 }])
  expect((await crm.companies.list(ann, { view })).data).toEqual([])
})

test('a view is seen by its owner, by the teams of its owner, or by everyone', async () => {
  const { crm, owner, ann, ben, namesOf } = await setUp()
  const view = await crm.views.create(ann, { kind: 'people', name: 'All' })
  const seenBy = async (actor: typeof owner) => (await crm.views.list(actor)).data.length
  expect([await seenBy(ann), await seenBy(ben), await seenBy(owner)]).toEqual([1, 0, 0])
  expect(await namesOf(owner, { view: view.id })).toBe('')
  expect(await catchRejection(crm.views.get(owner, view.id))).toMatchObject({ code: 'not_found' })
  await crm.views.update(ann, view.id, { shared: 'team' })
  expect([await seenBy(ann), await seenBy(ben)]).toEqual([1, 0])
  await crm.teams.create(owner, { name: 'South', members: [ann, ben].map(({ userId }) => ({ id: userId })) })
  expect([await seenBy(ann), await seenBy(ben), await seenBy(owner)]).toEqual([1, 1, 0])
  expect(await catchRejection(crm.views.update(ben, view.id, { name: 'Ours' }))).toMatchObject({
    code: 'forbidden',
  })
  await crm.views.update(ann, view.id, { shared: 'everyone' })
  expect(await seenBy(owner)).toBe(1)
  expect(await crm.views.update(owner, view.id, { name: 'Ours' })).toMatchObject({
    name: 'Ours',
    owner: { id: ann.userId },
  })
})

test('what a view names and was deleted counts for nothing, and is named', async () => {
  const { crm, owner, namesOf } = await setUp()
  const view = await crm.views.create(owner, {
    ...{
      kind: 'people',
      name: 'Large',
      order_by: 'custom_fields.size',
      columns: ['full_name', 'custom_fields.size'],
    },
    filter: {
      and: [
        NO_POSITION,
        { or: [{ field: 'custom_fields.size', op: 'greater', value: 4 }] },
        { field: 'full_name', op: 'is_not', value: 'Caio' },
      ],
    },
  })
  expect(await namesOf(owner, { view: view.id })).toBe('Bia')
  const [field] = (await crm.customFields.list(owner)).data
  await crm.customFields.remove(owner, field!.id)
  expect(await namesOf(owner, { view: view.id })).toBe('Bia Ana')
  expect(await crm.views.get(owner, view.id)).toMatchObject({ missing_fields: ['custom_fields.size'] })
  expect(await crm.views.update(owner, view.id, { name: 'Large ones' })).toMatchObject({ name: 'Large ones' })
  expect(await crm.views.counts(owner)).toEqual([{ id: view.id, count: 2 }])
})

test('an owner of the workspace sets the default of a role, which one view of the kind is', async () => {
  const { crm, owner, ann } = await setUp()
  const create = (name: string) => crm.views.create(owner, { kind: 'people', name, shared: 'everyone' })
  const [first, second] = [await create('First'), await create('Second')]
  const companies = await crm.views.create(owner, {
    ...{ kind: 'companies', name: 'Third', shared: 'everyone', default_for: ['member'] },
  })
  await crm.views.update(owner, first.id, { default_for: ['member', 'admin'] })
  await crm.views.update(owner, second.id, { default_for: ['member'] })
  const defaultOf = async (id: string) => (await crm.views.get(owner, id)).default_for
  expect(await Promise.all([first.id, second.id, companies.id].map(defaultOf))).toEqual([
    ['admin'],
    ['member'],
    ['member'],
  ])
  const own = await crm.views.create(ann, { kind: 'people', name: 'Mine', shared: 'everyone' })
  expect(await catchRejection(crm.views.update(ann, own.id, { default_for: ['member'] }))).toMatchObject({
    code: 'forbidden',
    fields: { default_for: 'Only an owner of the workspace sets it.' },
  })
  expect(await catchFieldErrors(crm.views.update(owner, second.id, { shared: 'team' }))).toEqual({
    shared: 'Must be everyone: the view is the default of a role.',
  })
})

test.each([
  [{ kind: 'tags' }, { kind: expect.stringContaining('Must be one of') }],
  [{ filter: { field: 'nme', op: 'is' } }, { 'filter.field': expect.stringContaining('Unknown field.') }],
  [
    { filter: { and: [{ field: 'full_name', op: 'greater', value: 1 }] } },
    { 'filter.and[0].op': expect.any(String) },
  ],
  [{ filter: {} }, { filter: expect.any(String) }],
  [{ filter: 'x' }, { filter: expect.any(String) }],
  [{ order_by: 'nme' }, { order_by: expect.stringContaining('Must be one of: created_at') }],
  [{ order: 'up' }, { order: 'Must be one of: asc, desc.' }],
  [{ order_by: 'custom_fields.none' }, { order_by: 'Unknown field: custom_fields.none.' }],
  [{ order_by: 'full_name', order: 'asc,desc' }, { order: expect.stringContaining('as many directions') }],
  [{ layout: 'board' }, { layout: 'Must be table: only deals have a board.' }],
  [{ group_by: 'stage_id' }, { group_by: 'Must be one of: owner, company_id, created_month.' }],
  [{ columns: ['full_name', 'full_name'] }, { columns: 'Must name each column once.' }],
  [{ columns: [] }, { columns: expect.any(String) }],
  [{ default_for: ['member'] }, { default_for: 'Must be everyone: the view is the default of a role.' }],
  [{ owner_user_id: 'x' }, { owner_user_id: expect.stringContaining('Unknown field.') }],
])('the view with %j is refused', async (input, errors) => {
  const { crm, owner } = await setUp()
  const view = { kind: 'people', name: 'All', ...input } as never
  expect(await catchFieldErrors(crm.views.create(owner, view))).toEqual(errors)
})

test('the kind of a view stays, and a workspace has at most 100 views', async () => {
  const { crm, owner } = await setUp()
  const { id } = await crm.views.create(owner, { kind: 'people', name: 'All' })
  expect(await catchFieldErrors(crm.views.update(owner, id, { kind: 'deals' }))).toEqual({
    kind: 'Must equal the current value: it cannot be changed.',
  })
  for (let count = 1; count < 100; count += 1)
    await crm.views.create(owner, { kind: 'people', name: `View ${count}` })
  expect(await catchFieldErrors(crm.views.create(owner, { kind: 'people', name: 'One more' }))).toEqual({
    name: 'The workspace has 100 views, which is as many as it can have.',
  })
  expect(await crm.views.counts(owner)).toHaveLength(20)
})

test('a view of what the token may not read has no count', async () => {
  const { crm, owner } = await setUp()
  await crm.views.create(owner, { kind: 'deals', name: 'Deals' })
  const linked = { field: 'company.full_name', op: 'is', value: 'x' }
  await crm.views.create(owner, { kind: 'people', name: 'Linked', filter: linked })
  const scopes = new Set(['views:read', 'people:read'])
  expect((await crm.views.counts({ ...owner, scopes })).map(({ count }) => count)).toEqual([null, null])
})

test('a view and a filter together compare no more than a query has conditions', async () => {
  const { crm, owner } = await setUp()
  const value = Array.from({ length: 100 }, (_, nth) => `name ${nth}`)
  const names = { field: 'full_name', op: 'any_of', value }
  const filter = { or: [names, names] }
  const { id: view } = await crm.views.create(owner, { kind: 'people', name: 'Many', filter })
  expect((await crm.people.list(owner, { view })).data).toEqual([])
  expect(await catchFieldErrors(crm.people.list(owner, { view, filter }))).toEqual({
    filter: 'Must compare fewer values.',
  })
})
