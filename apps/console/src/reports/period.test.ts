import { describe, expect, test } from 'vitest'
import { Calendar } from '../format/calendar.ts'
import { buildPeriod, readPeriod } from './period.ts'

const now = new Date('2026-12-01T02:00:00Z')
/** Still November. */
const calendar = new Calendar('America/Sao_Paulo')

describe('buildPeriod', () => {
  test('the last six months end with the present one, and follow the six before', () => {
    expect(buildPeriod('6-months', now, calendar)).toEqual({
      first: '2026-06',
      last: '2026-11',
      from: '2026-06-01T03:00:00.000Z',
      to: '2026-12-01T02:59:59.999Z',
      months: ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11'],
      previous: {
        first: '2025-12',
        last: '2026-05',
        from: '2025-12-01T03:00:00.000Z',
        to: '2026-06-01T02:59:59.999Z',
      },
    })
  })

  test.each([
    ['year', '2026-01', '2026-11', '2025-01', '2025-11'],
    ['12-months', '2025-12', '2026-11', '2024-12', '2025-11'],
    ['quarter', '2026-10', '2026-11', '2026-07', '2026-08'],
  ] as const)('%s', (name, first, last, previousFirst, previousLast) => {
    expect(buildPeriod(name, now, calendar)).toMatchObject({
      first,
      last,
      previous: { first: previousFirst, last: previousLast },
    })
  })

  test('a quarter may have one month so far', () => {
    expect(buildPeriod('quarter', new Date('2026-01-01T03:00:00Z'), calendar).months).toEqual(['2026-01'])
  })
})

test('an unknown period of the address is the default', () => {
  expect(readPeriod('year')).toBe('year')
  expect(readPeriod('<script>')).toBe('6-months')
  expect(readPeriod(null)).toBe('6-months')
})
