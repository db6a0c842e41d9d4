import { expect, test } from 'vitest'
import { pagesBetween } from './use-rows.ts'

test.each([
  [0, 0, [1]],
  [0, 99, [1]],
  [99, 100, [1, 2]],
  [99_950, 99_999, [1000]],
])('rows %i to %i are on pages %j', (first, last, pages) => {
  expect(pagesBetween(first, last)).toEqual(pages)
})
