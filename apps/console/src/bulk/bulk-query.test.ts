import { expect, test } from 'vitest'
import { toBulkQuery } from './bulk-query.ts'

test.each([
  [
    'filters, without the order and what is included',
    { order_by: 'full_name', order: 'asc', include: 'company', tag: 'hot', search: undefined },
    { tag: 'hot' },
  ],
  [
    'a tree as an object',
    { filter: '{"field":"score","op":"less","value":2}' },
    { filter: { field: 'score', op: 'less', value: 2 } },
  ],
  ['no filter', { order_by: 'full_name', order: 'asc' }, { all: true }],
])('%s', (_, query, expected) => {
  expect(toBulkQuery(query)).toEqual(expected)
})
