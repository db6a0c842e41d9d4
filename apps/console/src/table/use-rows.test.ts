import { expect, test } from 'vitest'
import { Lines } from './groups/lines.ts'
import { listPages } from './use-rows.ts'

test.each([
  [0, 0, [1]],
  [0, 99, [1]],
  [99, 100, [1, 2]],
  [99_950, 99_999, [1000]],
])('rows %i to %i are on pages %j', (first, last, pages) => {
  const lines = new Lines([{ count: 100_000, hasHead: false, isFolded: false }])
  expect(listPages(lines, first, last).map(({ page }) => page)).toEqual(pages)
})

test('rows of several groups are on pages of each, and folded groups have none', () => {
  const group = (count: number, isFolded = false) => ({ count, isFolded, hasHead: true })
  const lines = new Lines([group(101), group(500, true), group(3)])
  expect(listPages(lines, 0, lines.count - 1)).toEqual([
    { section: 0, page: 1 },
    { section: 0, page: 2 },
    { section: 2, page: 1 },
  ])
})
