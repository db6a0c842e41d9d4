import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { dayOf, isWholeDay, monthOf, nextMonth, startOfDay, startOfMonth, wholeDay } from './time-zone.ts'

const ZONES = [
  'UTC',
  'America/Sao_Paulo',
  'America/New_York',
  'America/Nuuk',
  'Europe/London',
  'Asia/Calcutta',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]

test.each([
  ['2026-11', '2026-12'],
  ['2026-12', '2027-01'],
  ['0999-12', '1000-01'],
])('the month after %s is %s', (month, next) => {
  expect(nextMonth(month)).toBe(next)
})

describe('a day', () => {
  test.each([
    [
      'starts an hour late where clocks go forward at midnight',
      'America/Sao_Paulo',
      '2018-11-04',
      '2018-11-04T03:00:00.000Z',
    ],
    [
      'starts once where clocks go back to the day before',
      'America/Sao_Paulo',
      '2018-02-18',
      '2018-02-18T03:00:00.000Z',
    ],
    ['starts late in Beirut', 'Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
    ['starts in Nuuk before its clocks go forward', 'America/Nuuk', '2026-03-28', '2026-03-28T02:00:00.000Z'],
    [
      'starts in Nuuk after its clocks went forward',
      'America/Nuuk',
      '2026-03-29',
      '2026-03-29T01:00:00.000Z',
    ],
    ['follows half an hour of summer', 'Australia/Lord_Howe', '2026-01-01', '2025-12-31T13:00:00.000Z'],
    ['follows half an hour less in winter', 'Australia/Lord_Howe', '2026-07-01', '2026-06-30T13:30:00.000Z'],
    ['takes an alias', 'Asia/Calcutta', '2026-03-01', '2026-02-28T18:30:00.000Z'],
    ['knows the seconds of former times', 'America/Sao_Paulo', '1900-01-01', '1900-01-01T03:06:28.000Z'],
    ['starts after one that a zone left out', 'Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ])('%s', (_, zone, day, start) => {
    expect(startOfDay(day, zone)).toBe(start)
    expect(dayOf(start, zone)).toBe(day)
    expect(dayOf(new Date(Date.parse(start) - 1).toISOString(), zone) < day).toBe(true)
  })

  test('is that of Temporal, in any zone and year', () => {
    const instants = fc.date({
      min: new Date('1900-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(
        instants,
        fc.constantFrom(...Intl.supportedValuesOf('timeZone'), ...ZONES),
        (date, zone) => {
          const at = date.toISOString()
          const oracle = Temporal.Instant.from(at).toZonedDateTimeISO(zone)
          const day = oracle.toPlainDate().toString()
          expect(dayOf(at, zone)).toBe(day)
          expect(startOfDay(day, zone)).toBe(
            oracle.startOfDay().toInstant().toString({ smallestUnit: 'millisecond' }),
          )
        },
      ),
      { numRuns: 3000 },
    )
  })
})

describe('a month', () => {
  test.each(ZONES)('begins with its first day and ends with the next month in %s', (zone) => {
    for (let month = 0; month < 24; month += 1) {
      const first = new Date(Date.UTC(2025, month, 1)).toISOString().slice(0, 7)
      const start = startOfMonth(first, zone)
      expect(monthOf(start, zone)).toBe(first)
      expect(monthOf(new Date(Date.parse(start) - 1).toISOString(), zone)).not.toBe(first)
    }
  })
})

describe('a whole day', () => {
  test.each(ZONES)('is its last minute in %s, and no other instant', (zone) => {
    for (let day = 0; day < 730; day += 1) {
      const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10)
      const at = wholeDay(date, zone)
      const clock = Temporal.Instant.from(at).toZonedDateTimeISO(zone)
      // In Nuuk the clocks go forward from 23:00 to 24:00.
      const isShort = clock.hoursInDay === 23 && zone === 'America/Nuuk'
      expect(clock.toPlainDateTime().toString()).toBe(`${date}T${isShort ? '22' : '23'}:59:00`)
      expect(isWholeDay(at, zone)).toBe(true)
      expect(isWholeDay(new Date(Date.parse(at) + 1).toISOString(), zone)).toBe(false)
      expect(isWholeDay(new Date(Date.parse(at) - 60_000).toISOString(), zone)).toBe(false)
    }
  })
})
