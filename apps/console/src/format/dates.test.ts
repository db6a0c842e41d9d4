import { describe, expect, test } from 'vitest'
import { addDays, Calendar } from './calendar.ts'
import { DateFormat, daysSince, dueState } from './dates.ts'

const calendar = new Calendar('America/Sao_Paulo')
/** A Thursday, at 15:30 in São Paulo. */
const NOW = new Date('2026-11-26T18:30:00.000Z')
/** The end of a day before or after. */
const dayAt = (days: number) => calendar.wholeDay(addDays('2026-11-26', days))

test.each([
  ['2026-11-26T18:29:00.000Z', 'late'],
  ['2026-11-27T02:59:00.000Z', 'today'],
  ['2026-11-27T03:00:00.000Z', 'later'],
])('%s is %s', (due, state) => {
  expect(dueState(new Date(due), NOW, calendar)).toBe(state)
})

test('age is counted in whole days, and never negative', () => {
  expect(daysSince(new Date('2026-11-24T18:30:00.000Z'), NOW)).toBe(2)
  expect(daysSince(dayAt(1), NOW)).toBe(0)
})

describe('dates of a language', () => {
  const en = new DateFormat('en-GB', calendar)
  const pt = new DateFormat('pt-BR', calendar)

  test('are relative within a week', () => {
    expect(en.relativeDay(dayAt(1), NOW)).toBe('tomorrow')
    expect(pt.relativeDay(dayAt(-1), NOW)).toBe('ontem')
    expect(en.relativeDay(dayAt(3), NOW)).toBe('Sun')
    expect(en.relativeDay(dayAt(7), NOW)).toBe('Thu 3 Dec')
  })

  test('have a year if it is another one in the workspace', () => {
    expect(en.day(new Date('2027-01-01T02:59:00.000Z'), NOW)).toBe('Thu 31 Dec')
    expect(en.day(new Date('2027-01-01T03:00:00.000Z'), NOW)).toBe('1 Jan 2027')
  })

  test('say how long something is late', () => {
    expect(en.late(dayAt(-15), NOW)).toBe('15 days ago')
    expect(pt.late(dayAt(-6), NOW)).toBe('há 6 dias')
  })

  test('leave out a time that was not set', () => {
    expect(en.due(dayAt(1), NOW)).toBe('tomorrow')
    expect(en.due(new Date('2026-11-27T13:00:00.000Z'), NOW)).toBe('tomorrow, 10:00')
    expect(en.due(new Date('2026-11-26T20:00:00.000Z'), NOW)).toBe('17:00')
    expect(en.fullDue(dayAt(1))).toMatch(/^Friday,? 27 November 2026$/)
    expect(en.fullDue(new Date('2026-11-27T13:00:00.000Z'))).toMatch(/^Friday,? 27 November 2026 at 10:00$/)
  })

  test('are those of a day without a zone, and of a month', () => {
    expect(en.plainDay('2026-11-26')).toBe('26 Nov 2026')
    expect(en.month('2026-11')).toBe('November 2026')
    expect(pt.monthName('2026-11')).toBe('novembro')
  })
})
