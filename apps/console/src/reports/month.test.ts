import { expect, test } from 'vitest'
import { addMonths, instantBefore, listMonths, localMonth, localStart, utcMonth, utcStart } from './month.ts'

test('months are added over the end of a year', () => {
  expect(addMonths('2026-11', 3)).toBe('2027-02')
  expect(addMonths('2026-01', -1)).toBe('2025-12')
  expect(addMonths('2026-01', -25)).toBe('2023-12')
  expect(addMonths('2026-06', 0)).toBe('2026-06')
})

test('lists months in order', () => {
  expect(listMonths('2026-11', '2027-01')).toEqual(['2026-11', '2026-12', '2027-01'])
  expect(listMonths('2026-11', '2026-10')).toEqual([])
})

test('a month begins at midnight, in UTC or in the time zone of the browser', () => {
  expect(utcStart('2026-11').toISOString()).toBe('2026-11-01T00:00:00.000Z')
  expect(localStart('2026-11')).toEqual(new Date(2026, 10, 1))
  expect(utcMonth(new Date('2026-11-30T23:59:59.999Z'))).toBe('2026-11')
  expect(localMonth(new Date(2026, 10, 30, 23, 59))).toBe('2026-11')
})

test('the end of a month is the millisecond before the next', () => {
  expect(instantBefore(utcStart('2027-01')).toISOString()).toBe('2026-12-31T23:59:59.999Z')
})
