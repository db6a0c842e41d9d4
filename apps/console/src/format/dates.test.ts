import { describe, expect, test } from 'vitest'
import {
  addDays,
  calendarDays,
  DateFormat,
  daysSince,
  dueState,
  endOfDay,
  endOfWeek,
  hasTime,
  localDay,
  nextMonday,
} from './dates.ts'

/** A Thursday. */
const NOW = new Date(2026, 10, 26, 15, 30)

test('the end of a day has no time, and is not late before the day is over', () => {
  const due = endOfDay(NOW)
  expect(hasTime(due)).toBe(false)
  expect(hasTime(NOW)).toBe(true)
  expect(dueState(due, NOW)).toBe('today')
  expect(dueState(due, addDays(NOW, 1))).toBe('late')
})

test.each([
  [new Date(2026, 10, 26, 15, 29), 'late'],
  [new Date(2026, 10, 26, 23, 0), 'today'],
  [new Date(2026, 10, 27, 0, 0), 'later'],
])('%s is %s', (due, state) => {
  expect(dueState(due, NOW)).toBe(state)
})

test('days of the calendar are counted by midnights, across a change of the month', () => {
  expect(calendarDays(new Date(2026, 10, 27, 0, 1), NOW)).toBe(1)
  expect(calendarDays(new Date(2026, 11, 1), NOW)).toBe(5)
  expect(calendarDays(new Date(2026, 10, 25, 23, 59), NOW)).toBe(-1)
})

test('age is counted in whole days, and never negative', () => {
  expect(daysSince(addDays(NOW, -2), NOW)).toBe(2)
  expect(daysSince(addDays(NOW, 1), NOW)).toBe(0)
})

test.each([
  [NOW, new Date(2026, 10, 30)],
  [new Date(2026, 10, 30, 9), new Date(2026, 11, 7)],
  [new Date(2026, 10, 29, 9), new Date(2026, 10, 30)],
])('the Monday after %s is %s', (from, monday) => {
  expect(nextMonday(from)).toEqual(monday)
})

test('a week ends with its Sunday', () => {
  expect(endOfWeek(NOW)).toEqual(new Date(2026, 10, 29, 23, 59))
  expect(endOfWeek(new Date(2026, 10, 29, 8))).toEqual(new Date(2026, 10, 29, 23, 59))
})

test('a local day is the one of the calendar here', () => {
  expect(localDay(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
})

describe('dates of a language', () => {
  const en = new DateFormat('en-GB')
  const pt = new DateFormat('pt-BR')

  test('are relative within a week', () => {
    expect(en.relativeDay(addDays(NOW, 1), NOW)).toBe('tomorrow')
    expect(pt.relativeDay(addDays(NOW, -1), NOW)).toBe('ontem')
    expect(en.relativeDay(addDays(NOW, 3), NOW)).toBe('Sun')
    expect(en.relativeDay(addDays(NOW, 7), NOW)).toBe('Thu 3 Dec')
  })

  test('say how long something is late', () => {
    expect(en.late(addDays(NOW, -15), NOW)).toBe('15 days ago')
    expect(pt.late(addDays(NOW, -6), NOW)).toBe('há 6 dias')
  })

  test('leave out a time that was not set', () => {
    expect(en.due(endOfDay(addDays(NOW, 1)), NOW)).toBe('tomorrow')
    expect(en.due(new Date(2026, 10, 27, 10, 0), NOW)).toBe('tomorrow, 10:00')
    expect(en.due(new Date(2026, 10, 26, 17, 0), NOW)).toBe('17:00')
  })
})
