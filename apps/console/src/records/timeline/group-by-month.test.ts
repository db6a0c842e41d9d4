import { expect, test } from 'vitest'
import { groupByMonth } from './group-by-month.ts'

test('entries are grouped by the month here, in their order', () => {
  const entries = [new Date(2026, 10, 3), new Date(2026, 10, 1, 0, 1), new Date(2026, 9, 31, 23, 59)].map(
    (date) => ({
      at: date.toISOString(),
    }),
  )
  expect(groupByMonth(entries).map(({ month, entries: all }) => [month.getMonth(), all.length])).toEqual([
    [10, 2],
    [9, 1],
  ])
})
