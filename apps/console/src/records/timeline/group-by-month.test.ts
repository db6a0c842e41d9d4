import { expect, test } from 'vitest'
import { Calendar } from '../../format/calendar.ts'
import { groupByMonth } from './group-by-month.ts'

test('entries are grouped by the month of the workspace, in their order', () => {
  const entries = ['2026-11-03T12:00:00.000Z', '2026-11-01T03:00:00.000Z', '2026-11-01T02:59:59.999Z']
  const groups = groupByMonth(
    entries.map((at) => ({ at })),
    new Calendar('America/Sao_Paulo'),
  )
  expect(groups.map(({ month, entries: all }) => [month, all.length])).toEqual([
    ['2026-11', 2],
    ['2026-10', 1],
  ])
})
