import { expect, test } from 'vitest'
import { listLargest } from './largest.ts'

test('returns the items of the largest size, in order', () => {
  const items = [
    { name: 'a', size: 2 },
    { name: 'b', size: 3 },
    { name: 'c', size: 3 },
  ]
  expect(listLargest(items, ({ size }) => size).map(({ name }) => name)).toEqual(['b', 'c'])
  expect(listLargest(items.slice(0, 2), ({ size }) => size).map(({ name }) => name)).toEqual(['b'])
  expect(listLargest([], () => 1)).toEqual([])
})
