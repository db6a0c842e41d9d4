import { expect, test } from 'vitest'
import { catchFieldErrors, createTestCrm } from '../../../test/harness.ts'

async function setUp() {
  const base = await createTestCrm()
  const { crm, owner } = base
  const field = (key: string, type: 'number' | 'multi_select') =>
    crm.customFields.create(owner, {
      ...{ label: key, key, type, show_people: true },
      ...(type === 'multi_select' && { value: { select_list: [{ key: 'a', option: 'A' }] } }),
    })
  await field('size', 'number')
  await field('uses', 'multi_select')
  for (const [full_name, score, size] of [
    ['Ana', 1, 10],
    ['Bia', 2, 9.5],
    ['Caio', 1, undefined],
    ['Davi', 2, 10],
  ] as const)
    await crm.people.create(owner, {
      ...{ full_name, score },
      ...(size !== undefined && { custom_fields: [{ key: 'size', value: size }] }),
    })
  return base
}

test.each([
  ['full_name', 'asc', 'Ana Bia Caio Davi'],
  ['score,full_name', 'desc', 'Davi Bia Caio Ana'],
  ['score,full_name', 'desc,asc', 'Bia Davi Ana Caio'],
  ['custom_fields.size,full_name', 'asc', 'Caio Bia Ana Davi'],
  ['custom_fields.SIZE,score', 'desc', 'Davi Ana Bia Caio'],
])('people are ordered by %s %s', async (order_by, order, names) => {
  const { crm, owner } = await setUp()
  const query = { order_by, order } as { order_by: 'score,full_name'; order: 'desc,asc' }
  const { data, meta } = await crm.people.list(owner, { ...query, per_page: 3 })
  const { data: others } = await crm.people.list(owner, { ...query, per_page: 3, page: 2 })
  expect([...data, ...others].map(({ full_name }) => full_name).join(' ')).toBe(names)
  expect(meta).toEqual({ total: 4, page: 1, per_page: 3, has_more: true })
  let exported = ''
  for await (const text of crm.people.export(owner, { ...query, format: 'ndjson' })) exported += text
  const lines = exported.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).full_name).join(' ')).toBe(names)
})

test.each([
  [{ order_by: 'nme' }, { order_by: expect.stringContaining('full_name, ') }],
  [{ order_by: 'score,full_name,position' }, { order_by: 'Must name at most two fields.' }],
  [{ order_by: 'score,score' }, { order_by: 'Must name two different fields.' }],
  [{ order_by: 'score,' }, { order_by: expect.stringContaining('Must be one of: created_at, ') }],
  [{ order_by: 'search_terms' }, { order_by: expect.stringContaining('Must be one of: created_at, ') }],
  [{ order_by: '__proto__' }, { order_by: expect.stringContaining('Must be one of: created_at, ') }],
  [{ order: 'asc,down' }, { order: expect.stringContaining('asc, desc') }],
  [{ order: 'asc,desc' }, { order: 'Must have as many directions as there are fields.' }],
  [{ order_by: 'custom_fields.none' }, { order_by: 'Unknown field: custom_fields.none.' }],
  [{ order_by: 'custom_fields.' }, { order_by: 'Unknown field: custom_fields..' }],
  [{ order_by: 'custom_fields.uses' }, { order_by: expect.stringContaining('have no order') }],
])('the order %j is refused', async (query, errors) => {
  const { crm, owner } = await setUp()
  expect(await catchFieldErrors(crm.people.list(owner, query as object))).toEqual(errors)
})

test('tasks and products have no custom fields', async () => {
  const { crm, owner } = await createTestCrm()
  for (const list of [crm.tasks.list, crm.products.list])
    expect(await catchFieldErrors(list(owner, { order_by: 'custom_fields.size' }))).toEqual({
      order_by: expect.not.stringContaining('custom_fields'),
    })
})
