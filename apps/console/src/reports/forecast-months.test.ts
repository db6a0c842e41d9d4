import { expect, test } from 'vitest'
import { Calendar } from '../format/calendar.ts'
import { buildForecastRows, listForecastRanges } from './forecast-months.ts'
import { NO_DEALS } from './stage-sums.ts'

/** Still November. */
const calendar = new Calendar('America/Sao_Paulo')

test('the ranges are the present month, the next three, and what is before and after', () => {
  const ranges = listForecastRanges(new Date('2026-12-01T02:00:00Z'), calendar)
  expect(ranges.map(({ key }) => key)).toEqual(['past', '2026-11', '2026-12', '2027-01', '2027-02', 'later'])
})

test('the ranges leave no gap and do not overlap', () => {
  const ranges = listForecastRanges(new Date('2026-12-01T02:00:00Z'), calendar)
  for (const [index, { bounds }] of ranges.slice(1).entries()) {
    const end = Date.parse(ranges[index]?.bounds.forecast_before ?? '')
    expect(Date.parse(bounds.forecast_after ?? '') - end).toBe(1)
  }
  expect(ranges[0]?.bounds.forecast_after).toBeUndefined()
  expect(ranges.at(-1)?.bounds.forecast_before).toBeUndefined()
})

test('deals without a date are what is left of all open deals', () => {
  const sum = { count: 2, amount: 200, weighted: 20 }
  const rows = buildForecastRows(
    [
      { key: 'past', sum: NO_DEALS },
      { key: '2026-11', sum },
      { key: '2026-12', sum: NO_DEALS },
      { key: 'later', sum: NO_DEALS },
    ],
    { count: 3, amount: 250, weighted: 70 },
  )
  expect(rows).toEqual([
    { key: '2026-11', sum },
    { key: '2026-12', sum: NO_DEALS },
    { key: 'none', sum: { count: 1, amount: 50, weighted: 50 } },
  ])
})
