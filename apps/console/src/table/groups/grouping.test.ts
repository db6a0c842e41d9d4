import { expect, test } from 'vitest'
import { conditionOf, GROUPINGS, mergeCurrencies, sortGroups } from './grouping.ts'

const [owner, stage, , , created] = GROUPINGS.deals

test('the groups of a value are joined, with a sum for each currency', () => {
  const group = (key: string | null, currency: 'BRL' | 'EUR', count: number, value: number | null) => ({
    ...{ key, name: null, currency, count, value },
  })
  expect(
    mergeCurrencies([group('a', 'BRL', 2, 500), group(null, 'BRL', 1, 7), group('a', 'EUR', 1, null)]),
  ).toEqual([
    { key: 'a', count: 3, sums: [{ currency: 'BRL', amount: 500 }] },
    { key: null, count: 1, sums: [{ currency: 'BRL', amount: 7 }] },
  ])
})

test('groups are in the order of their menu, then by name, and without a value last', () => {
  const groups = [
    { key: null, label: 'Nobody' },
    { key: 'x', label: 'Zoë' },
    { key: 'y', label: 'Émile' },
    { key: 'won', label: 'Won' },
    { key: 'new', label: 'New' },
  ]
  const keys = sortGroups(groups, ['new', 'won']).map(({ key }) => key)
  expect(keys).toEqual(['new', 'won', 'y', 'x', null])
})

test.each([
  [owner, 'o1', { field: 'owner', op: 'is', value: 'o1' }],
  [stage, null, { field: 'stage', op: 'is_empty' }],
  [created, '2024-02', { field: 'created_at', op: 'between', value: ['2024-02-01', '2024-02-29'] }],
  [created, '2025-12', { field: 'created_at', op: 'between', value: ['2025-12-01', '2025-12-31'] }],
])('the rows of group %# fulfil its condition', (grouping, key, condition) => {
  expect(conditionOf(grouping!, key)).toEqual(condition)
})
