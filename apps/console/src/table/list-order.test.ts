import { expect, test } from 'vitest'
import { formatOrder, listSortColumns, pressColumn, readOrder } from './list-order.ts'

const NAMES = ['full_name', 'score']

test.each([
  ['', undefined],
  ['sort=full_name', { order_by: 'full_name', order: 'asc' }],
  ['sort=score,full_name&order=desc,asc', { order_by: 'score,full_name', order: 'desc,asc' }],
  ['sort=score,full_name&order=desc', { order_by: 'score,full_name', order: 'desc,desc' }],
  ['sort=score&order=up', { order_by: 'score', order: 'asc' }],
  ['sort=score,score', undefined],
  ['sort=score,full_name,score', undefined],
  ['sort=secret', undefined],
])('the order of the address %s', (text, order) => {
  expect(readOrder(new URLSearchParams(text), NAMES)).toEqual(order)
})

test('a press orders by a column, and with Shift by a second one', () => {
  const press = (order: string, name: string, add = false) =>
    formatOrder(pressColumn(listSortColumns({ order_by: 'score', order }), name, 'desc', add))
  expect(press('desc', 'score')).toEqual({ order_by: 'score', order: 'asc' })
  expect(press('desc', 'full_name')).toEqual({ order_by: 'full_name', order: 'desc' })
  expect(press('asc', 'full_name', true)).toEqual({ order_by: 'score,full_name', order: 'asc,desc' })
  expect(press('asc', 'score', true)).toEqual({ order_by: 'score', order: 'desc' })
  expect(pressColumn([], 'score', 'asc', true)).toEqual([{ name: 'score', direction: 'asc' }])
  const two = listSortColumns({ order_by: 'score,full_name', order: 'asc,asc' })
  expect(formatOrder(pressColumn(two, 'full_name', 'asc', true))).toEqual({
    ...{ order_by: 'score,full_name', order: 'asc,desc' },
  })
  expect(formatOrder(pressColumn(two, 'website', 'asc', true)).order_by).toBe('score,website')
})
