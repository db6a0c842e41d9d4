import { expect, test } from 'vitest'
import { changedColumns } from './changed-columns.ts'

const record = (fields: object) => ({ id: '1', a: 1, b: 2, c: 3, d: 4, e: 5, ...fields }) as never

test.each([
  ['one column', record({ b: 0 }), ['b']],
  ['four columns', record({ a: 0, b: 0, c: 0, d: 0 }), ['a', 'b', 'c', 'd']],
  ['all columns instead of five', record({ a: 0, b: 0, c: 0, d: 0, e: 0 }), undefined],
  ['all columns instead of none', record({}), undefined],
])('%s', (_, after, columns) => {
  expect(changedColumns(after, record({}))).toEqual(columns)
})
