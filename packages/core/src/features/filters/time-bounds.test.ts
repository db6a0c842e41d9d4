import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayOf } from '../../kernel/time-zone.ts'
import { addDays, afterTime, beforeTime, boundsOfDays, parseDay, parseTime } from './time-bounds.ts'

/** Clocks change in most of them, in different months and at different hours; one has a day of 23:30 hours. */
const ZONES = [
  ...['America/Sao_Paulo', 'Europe/Lisbon', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'],
  ...['Pacific/Apia', 'Africa/Cairo', 'America/Nuuk'],
]
const moment = { now: '2026-03-01T01:00:00.000Z', timeZone: 'America/Sao_Paulo' }

test('words for days are those of the time zone', () => {
  expect(['yesterday', 'today', 'tomorrow'].map((word) => parseDay(word, moment))).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
  ])
})

test.each([undefined, 7, '', 'Today', '2026-02-30', '2026-3-1', '2026-03-01T12:00:00', 'toString'])(
  '%j is no time',
  (value) => {
    expect(parseTime(value, moment)).toBeUndefined()
  },
)

test('a day has the instants of its zone, a date-time one', () => {
  expect(parseTime('2026-03-01', moment)).toEqual({
    from: '2026-03-01T03:00:00.000Z',
    to: '2026-03-02T02:59:59.999Z',
  })
  const at = '2026-03-01T12:00:00.000Z'
  expect(parseTime('2026-03-01T09:00:00-03:00', moment)).toEqual({ from: at, to: at })
})

const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2037-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

test('each instant belongs to one day of any zone', () => {
  fc.assert(
    fc.property(day, fc.constantFrom(...ZONES), (of, timeZone) => {
      const bounds = boundsOfDays(of, of, timeZone)
      // Apia had no 30 December 2011.
      fc.pre(bounds.from <= bounds.to)
      expect([dayOf(bounds.from, timeZone), dayOf(bounds.to, timeZone)]).toEqual([of, of])
      expect(dayOf(beforeTime(bounds)!.to!, timeZone) < of).toBe(true)
      expect(dayOf(afterTime(bounds)!.from!, timeZone) > of).toBe(true)
    }),
  )
})

test('days are added over months, leap years and the ends of time', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
  expect([addDays('0001-01-02', -5), addDays('9999-12-30', 5)]).toEqual(['0001-01-01', '9999-12-31'])
})

test('nothing is before the first instant or after the last', () => {
  expect(beforeTime({ from: '0001-01-01T00:00:00.000Z', to: '' })).toBeUndefined()
  expect(afterTime({ from: '', to: '9999-12-31T23:59:59.999Z' })).toBeUndefined()
})
