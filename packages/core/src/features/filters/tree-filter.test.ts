import { describe, expect, test } from 'vitest'
import { catchFieldErrors, createTestCrm, type TestCrm } from '../../../test/harness.ts'
import type { FilterTree } from '../../schema/filter-tree.ts'

/** People and companies that differ in what filters compare. The clock stands at noon of 1 March 2026. */
async function setUp() {
  const base = await createTestCrm()
  const { crm, owner, ann, ben } = base
  const vip = await crm.tags.create(owner, { name: 'VIP', key: 'vip' })
  const cold = await crm.tags.create(owner, { name: 'Cold', key: 'cold' })
  const field = (label: string, type: 'text' | 'number' | 'date' | 'select' | 'multi_select') =>
    crm.customFields.create(owner, {
      ...{ label, key: label, type, show_people: true },
      ...(type.endsWith('select') && {
        value: { select_list: ['a', 'b', 'c'].map((key) => ({ key, option: key.toUpperCase() })) },
      }),
    })
  for (const [label, type] of [
    ['note', 'text'],
    ['size', 'number'],
    ['since', 'date'],
    ['plan', 'select'],
    ['uses', 'multi_select'],
  ] as const)
    await field(label, type)
  const steel = await crm.companies.create(owner, { full_name: 'Aço São Paulo' })
  const wood = await crm.companies.create(owner, { full_name: 'Wood' })
  const values = (all: Readonly<Record<string, unknown>>) =>
    Object.entries(all).map(([key, value]) => ({ key, value: value as string }))
  await crm.people.create(owner, {
    ...{ full_name: 'Ana', position: 'Diretora', score: 3, owner_user_id: ann.userId },
    ...{ company_id: steel.id, tags: ['vip', 'cold'] },
    emails: [{ email: 'ana@home.example' }, { email: 'Diretoria@Steel.example' }],
    phones: [{ phone: '+55 (11) 90000-1234' }],
    custom_fields: values({ note: 'São João', size: 2.5, since: '2026-02-10', plan: 'a', uses: ['a', 'b'] }),
  })
  await crm.people.create(owner, {
    ...{ full_name: 'Bia', position: 'diretora comercial', score: 7, owner_user_id: ben.userId },
    ...{ company_id: wood.id, tags: ['vip'], emails: [{ email: 'bia@steel.example' }] },
    custom_fields: values({ note: 'sao', size: 10, since: '2026-03-01', plan: 'b', uses: ['b'] }),
  })
  await crm.people.create(owner, { full_name: 'Caio', score: 7, owner_user_id: null })
  return { ...base, vip, cold, steel, wood }
}

async function namesOf({ crm }: TestCrm, actor: TestCrm['owner'], filter: FilterTree): Promise<string> {
  const { data, meta } = await crm.people.list(actor, { filter, order_by: 'full_name', order: 'asc' })
  expect(meta.total).toBe(data.length)
  return data.map(({ full_name }) => full_name).join(' ')
}

const ALL = 'Ana Bia Caio'

describe('people are filtered', () => {
  test.each<readonly [field: string, op: string, value: unknown, names: string]>([
    ['full_name', 'is', 'ANA', 'Ana'],
    ['full_name', 'is_not', 'ana', 'Bia Caio'],
    ['full_name', 'any_of', ['ana', 'caio'], 'Ana Caio'],
    ['position', 'contains', 'DIRETORA', 'Ana Bia'],
    ['position', 'begins_with', 'diretora c', 'Bia'],
    ['position', 'is_empty', undefined, 'Caio'],
    ['position', 'is_not_empty', undefined, 'Ana Bia'],
    ['full_name', 'is_empty', undefined, ''],
    ['score', 'is', 7, 'Bia Caio'],
    ['score', 'is_not', 7, 'Ana'],
    ['score', 'greater', 3, 'Bia Caio'],
    ['score', 'less', 7, 'Ana'],
    ['score', 'between', [3, 7], ALL],
    ['created_at', 'is', 'today', ALL],
    ['created_at', 'before', 'today', ''],
    ['created_at', 'after', 'yesterday', ALL],
    ['created_at', 'between', ['2026-02-28', '2026-03-01'], ALL],
    ['created_at', 'in_last', 1, ALL],
    ['created_at', 'before', '2026-03-01T12:00:00Z', ''],
    ['tags', 'any_of', ['cold', 'unknown'], 'Ana'],
    ['tags', 'all_of', ['vip', 'cold'], 'Ana'],
    ['tags', 'all_of', ['vip', 'unknown'], ''],
    ['tags', 'none_of', ['cold'], 'Bia Caio'],
    ['tags', 'is_empty', undefined, 'Caio'],
    ['company', 'is_empty', undefined, 'Caio'],
    ['company.full_name', 'contains', 'aco sao', 'Ana'],
    ['company.full_name', 'is_not', 'wood', 'Ana'],
    ['emails', 'is', 'diretoria@STEEL.example', 'Ana'],
    ['emails', 'is', 'steel.example', ''],
    ['emails', 'is_not', 'bia@steel.example', 'Ana Caio'],
    ['emails', 'any_of', ['ana@home.example', 'bia@steel.example'], 'Ana Bia'],
    ['emails', 'contains', '@steel', 'Ana Bia'],
    ['emails', 'contains', 'work', ''],
    ['emails', 'begins_with', 'diretoria', 'Ana'],
    ['emails', 'begins_with', 'steel', ''],
    ['emails', 'is_empty', undefined, 'Caio'],
    ['emails', 'is_not_empty', undefined, 'Ana Bia'],
    ['phones', 'is', '+5511900001234', 'Ana'],
    ['phones', 'any_of', ['+55 11 90000 1234', '+55 11 90000 9999'], 'Ana'],
    ['phones', 'is_not', '+55 11 90000-1234', 'Bia Caio'],
    ['phones', 'is_empty', undefined, 'Bia Caio'],
    ['custom_fields.note', 'is', 'SAO', 'Bia'],
    ['custom_fields.note', 'contains', 'joao', 'Ana'],
    ['custom_fields.note', 'is_empty', undefined, 'Caio'],
    ['custom_fields.size', 'is', 2.5, 'Ana'],
    ['custom_fields.size', 'greater', 2.5, 'Bia'],
    ['custom_fields.size', 'less', 10, 'Ana'],
    ['custom_fields.since', 'before', '2026-02-11', 'Ana'],
    ['custom_fields.since', 'in_last', 30, 'Ana Bia'],
    ['custom_fields.since', 'is', 'today', 'Bia'],
    ['custom_fields.plan', 'any_of', ['a', 'c'], 'Ana'],
    ['custom_fields.plan', 'is_not', 'a', 'Bia Caio'],
    ['custom_fields.uses', 'all_of', ['a', 'b'], 'Ana'],
    ['custom_fields.uses', 'none_of', ['a'], 'Bia Caio'],
    ['owner', 'is', 'nobody', 'Caio'],
    ['owner', 'is_empty', undefined, 'Caio'],
    ['owner', 'is', 'me', ''],
  ])('by %s %s %j: %s', async (field, op, value, names) => {
    const setting = await setUp()
    const filter = value === undefined ? { field, op } : { field, op, value }
    expect(await namesOf(setting, setting.owner, filter)).toBe(names)
  })

  test('by who asks, and by the teams of who asks', async () => {
    const setting = await setUp()
    const { crm, owner, ann, ben } = setting
    await crm.teams.create(owner, { name: 'South', members: [{ id: ann.userId }, { id: ben.userId }] })
    const ofMe = { field: 'owner', op: 'is', value: 'me' }
    const ofTeam = { field: 'owner', op: 'is', value: 'my_team' }
    expect(await namesOf(setting, ann, ofMe)).toBe('Ana')
    expect(await namesOf(setting, ben, ofMe)).toBe('Bia')
    expect(await namesOf(setting, ben, ofTeam)).toBe('Ana Bia')
    expect(
      await namesOf(setting, owner, { field: 'owner', op: 'any_of', value: [ann.userId, 'nobody'] }),
    ).toBe('Ana Caio')
    // A removed member counts as nobody.
    await crm.members.remove(owner, ben.userId)
    expect(await namesOf(setting, owner, { field: 'owner', op: 'is', value: 'nobody' })).toBe('Bia Caio')
  })

  test('by groups within groups, beside the short forms, and as JSON', async () => {
    const setting = await setUp()
    const { crm, owner } = setting
    const filter: FilterTree = {
      and: [
        { field: 'score', op: 'is', value: 7 },
        {
          or: [
            { field: 'full_name', op: 'is', value: 'bia' },
            { field: 'position', op: 'is_empty' },
          ],
        },
      ],
    }
    expect(await namesOf(setting, owner, filter)).toBe('Bia Caio')
    const { data } = await crm.people.list(owner, { filter: JSON.stringify(filter), tag: 'vip' })
    expect(data.map(({ full_name }) => full_name)).toEqual(['Bia'])
  })

  test('by related records that the caller sees alone', async () => {
    const setting = await setUp()
    const { crm, owner, ann, ben, steel } = setting
    await crm.companies.update(owner, steel.id, { owner_user_id: ben.userId })
    await crm.workspace.update(owner, { visibility: { companies: 'owner' } })
    const filter = { field: 'company.full_name', op: 'contains', value: 'aco' }
    expect([await namesOf(setting, ann, filter), await namesOf(setting, ben, filter)]).toEqual(['', 'Ana'])
  })
})

const nested = (levels: number): object =>
  levels === 0 ? { field: 'score', op: 'is', value: 1 } : { and: [nested(levels - 1)] }

test.each<readonly [filter: unknown, errors: Readonly<Record<string, unknown>>]>([
  ['{', { filter: 'Must be JSON.' }],
  ['x'.repeat(4097), { filter: 'Must have at most 4096 bytes.' }],
  [7, { filter: 'Must be an object with `and`, `or`, or `field` and `op`.' }],
  [[], { filter: 'Must be an object with `and`, `or`, or `field` and `op`.' }],
  [{ and: [] }, { 'filter.and': 'Must be an array of at least one condition.' }],
  [{ and: [{}], or: [] }, { 'filter.or': 'Must not be sent together with and.' }],
  [{ or: [null] }, { 'filter.or[0]': 'Must be an object with `and`, `or`, or `field` and `op`.' }],
  [nested(4), { 'filter.and[0].and[0].and[0]': 'Must have at most 3 levels of `and` and `or`.' }],
  [{ and: Array(26).fill(nested(0)) }, { filter: 'Must have at most 25 conditions.' }],
  [{ field: 1, op: 'is' }, { 'filter.field': 'Must be a string.' }],
  [{ field: 'score', op: 'is', value: 1, not: true }, { 'filter.not': 'Unknown field.' }],
  [
    { and: [nested(0), { field: 'ful_name', op: 'is', value: 'x' }] },
    { 'filter.and[1].field': 'Unknown field. Did you mean "full_name"?' },
  ],
  [{ field: 'search_terms', op: 'is', value: 'x' }, { 'filter.field': 'Unknown field.' }],
  [
    { field: 'custom_fields.none', op: 'is', value: 'x' },
    { 'filter.field': expect.stringContaining('Unknown') },
  ],
  [
    { field: 'company.owner.name', op: 'is', value: 'x' },
    { 'filter.field': expect.stringContaining('Unknown') },
  ],
  [{ field: '__proto__', op: 'is', value: 'x' }, { 'filter.field': 'Unknown field.' }],
  [
    { or: [{ field: 'score', op: 'contains', value: '7' }] },
    { 'filter.or[0].op': 'Must be one of: is, is_not, greater, less, between, is_empty, is_not_empty.' },
  ],
  [{ field: 'score', op: 'is' }, { 'filter.value': 'Required.' }],
  [
    { field: 'score', op: 'is', value: '7' },
    { 'filter.value': expect.stringContaining('Must be an integer between') },
  ],
  [
    { field: 'score', op: 'is', value: 1.5 },
    { 'filter.value': expect.stringContaining('Must be an integer between') },
  ],
  [{ field: 'score', op: 'between', value: [1] }, { 'filter.value': expect.stringContaining('two values') }],
  [{ field: 'full_name', op: 'any_of', value: ['x', 3] }, { 'filter.value[1]': 'Must be a string.' }],
  [{ field: 'full_name', op: 'contains', value: '\u0301' }, { 'filter.value': expect.any(String) }],
  [{ field: 'position', op: 'is_empty', value: true }, { 'filter.value': 'Must be left out.' }],
  [{ field: 'owner', op: 'is', value: 'ana' }, { 'filter.value': expect.stringContaining('me, my_team') }],
  [
    { field: 'created_at', op: 'in_last', value: 0 },
    { 'filter.value': 'Must be an integer between 1 and 3650.' },
  ],
  [
    { field: 'created_at', op: 'after', value: '31/12' },
    { 'filter.value': expect.stringContaining('2026-03-01') },
  ],
  [{ field: 'company', op: 'is', value: 'x' }, { 'filter.value': 'Must be a UUID.' }],
  [
    { field: 'phones', op: 'any_of', value: ['11 90000', 'ana'] },
    { 'filter.value[1]': 'Must hold only digits, spaces and + - . ( ).' },
  ],
  [
    { field: 'phones', op: 'contains', value: '11' },
    { 'filter.op': expect.stringContaining('Must be one of') },
  ],
  [{ field: 'emails', op: 'contains', value: '\u0301' }, { 'filter.value': expect.any(String) }],
])('the filter %j is refused at its path', async (filter, errors) => {
  const { crm, owner } = await createTestCrm()
  expect(await catchFieldErrors(crm.people.list(owner, { filter: filter as string }))).toEqual(errors)
})

test('deals, tasks and products have filters, too', async () => {
  const { crm, owner } = await createTestCrm()
  await crm.pipelines.create(owner, {
    name: 'Sales',
    stages: [{ name: 'New' }, { name: 'Won', type: 'win' }],
  })
  const deal = await crm.deals.create(owner, { name: 'Roof', amount: 5 })
  const open = { field: 'stage.type', op: 'is', value: 'open' }
  expect((await crm.deals.list(owner, { filter: open })).data).toHaveLength(1)
  expect((await crm.deals.list(owner, { filter: { ...open, op: 'is_not' } })).data).toHaveLength(0)
  const [pipeline] = (await crm.pipelines.list(owner)).data
  const board = await crm.pipelines.board(owner, pipeline!.id, {
    filter: { field: 'amount', op: 'greater', value: 5 },
  })
  expect(board.stages.map(({ count }) => count)).toEqual([0, 0])
  await crm.tasks.create(owner, { title: 'Call', deal_id: deal.id, due_date: '2026-03-02T12:00:00Z' })
  const tasks = (filter: FilterTree) => crm.tasks.list(owner, { filter })
  expect((await tasks({ field: 'due_date', op: 'in_next', value: 1 })).data).toHaveLength(1)
  expect((await tasks({ field: 'completed', op: 'is', value: true })).data).toHaveLength(0)
  expect((await tasks({ field: 'deal.name', op: 'is', value: 'roof' })).data).toHaveLength(1)
  await crm.products.create(owner, { name: 'Chair', currency: 'BRL' })
  const products = await crm.products.list(owner, {
    filter: { field: 'currency', op: 'any_of', value: ['BRL'] },
  })
  expect(products.data).toHaveLength(1)
  const aggregate = (filter: FilterTree) =>
    crm.reports.aggregate(owner, { entity: 'deals', metric: 'count', filter: { filter } })
  expect((await aggregate(open)).groups).toMatchObject([{ count: 1 }])
  expect(
    await catchFieldErrors(aggregate({ and: [{ field: 'stage.tipe', op: 'is', value: 'open' }] })),
  ).toEqual({
    'filter.filter.and[0].field': 'Unknown field. Did you mean "type"?',
  })
})

test('a filter by a linked record requires the scope of its kind', async () => {
  const { crm, owner } = await createTestCrm()
  const filter = { field: 'company.full_name', op: 'contains', value: 'a' }
  const scopes = new Set([...owner.scopes].filter((scope) => scope !== 'companies:read'))
  await expect(crm.people.list({ ...owner, scopes }, { filter })).rejects.toMatchObject({
    code: 'insufficient_scope',
  })
})

test.each([
  ['full_name', 'contains', 'a\0b'],
  ['full_name', 'is', '\ud800'],
  ['custom_fields.note', 'is', 'a\0b'],
])('%s %s %j is no text', async (field, op, value) => {
  const { crm, owner } = await setUp()
  expect(await catchFieldErrors(crm.people.list(owner, { filter: { field, op, value } }))).toEqual({
    'filter.value': expect.stringMatching(/control characters|Unicode/),
  })
})

test.each([
  ['lists', 'any_of', ['no id']],
  ['tags', 'any_of', ['* OR "']],
  ['custom_fields.uses', 'any_of', ['* OR "', 'a b']],
  ['custom_fields.plan', 'is', '"'],
])('%s %s %j matches nothing', async (field, op, value) => {
  const setting = await setUp()
  expect(await namesOf(setting, setting.owner, { field, op, value })).toBe('')
})

test('a filter compares no more values than a query has conditions', async () => {
  const { crm, owner } = await createTestCrm()
  const value = Array.from({ length: 100 }, (_, nth) => `name ${nth}`)
  const names = { field: 'full_name', op: 'any_of', value }
  expect((await crm.people.list(owner, { filter: { or: [names, names] } })).data).toEqual([])
  expect(await catchFieldErrors(crm.people.list(owner, { filter: { or: [names, names, names] } }))).toEqual({
    filter: 'Must compare fewer values.',
  })
})
