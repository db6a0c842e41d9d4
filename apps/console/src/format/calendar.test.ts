import { describe, expect, test } from 'vitest'
import { addDays, addMonths, Calendar, endOfWeek, instantBefore, listMonths, nextMonday } from './calendar.ts'

const saoPaulo = new Calendar('America/Sao_Paulo')
const nuuk = new Calendar('America/Nuuk')
const lordHowe = new Calendar('Australia/Lord_Howe')
/** Already Friday in Lord Howe, and still Thursday in São Paulo. */
const AT = new Date('2026-11-26T23:30:00.000Z')

test.each([
  [saoPaulo, '2026-11-26', '20:30'],
  [nuuk, '2026-11-26', '21:30'],
  [lordHowe, '2026-11-27', '10:30'],
])('an instant has the day and the time of the workspace', (calendar, day, time) => {
  expect(calendar.dayOf(AT)).toBe(day)
  expect(calendar.timeOf(AT)).toBe(time)
  expect(calendar.readDate(day, time)).toEqual(AT)
})

test('what is typed into a date and a time field is read in the workspace', () => {
  expect(saoPaulo.readDate('2026-11-27', '')?.toISOString()).toBe('2026-11-28T02:59:00.000Z')
  expect(saoPaulo.readDate('2026-11-27', '09:30')?.toISOString()).toBe('2026-11-27T12:30:00.000Z')
  for (const [day, time] of [
    ['', '09:30'],
    ['2026-13-45', ''],
    ['12026-01-01', ''],
    ['2026-11-27', '25:00'],
  ])
    expect(saoPaulo.readDate(day!, time)).toBeUndefined()
})

test('a whole day has no time, also where clocks skip its last hour', () => {
  for (const calendar of [saoPaulo, nuuk, lordHowe]) {
    const due = calendar.wholeDay('2026-03-28')
    expect(calendar.hasTime(due)).toBe(false)
    expect(calendar.dayOf(due)).toBe('2026-03-28')
    expect(calendar.hasTime(instantBefore(due))).toBe(true)
  }
})

test('days are counted by midnights of the workspace', () => {
  expect(saoPaulo.daysBetween(AT, new Date('2026-11-27T03:00:00.000Z'))).toBe(1)
  expect(saoPaulo.daysBetween(AT, new Date('2026-11-27T02:59:59.999Z'))).toBe(0)
  expect(saoPaulo.daysBetween(AT, new Date('2026-11-26T02:59:59.999Z'))).toBe(-1)
  expect(saoPaulo.daysBetween(AT, new Date('2026-12-01T12:00:00.000Z'))).toBe(5)
})

describe('days of the calendar', () => {
  test.each([
    ['2026-11-26', '2026-11-30', '2026-11-29'],
    ['2026-11-29', '2026-11-30', '2026-11-29'],
    ['2026-11-30', '2026-12-07', '2026-12-06'],
  ])('%s is followed by Monday %s and ends its week on %s', (day, monday, sunday) => {
    expect(nextMonday(day)).toBe(monday)
    expect(endOfWeek(day)).toBe(sunday)
  })

  test('are added over the end of a month', () => {
    expect(addDays('2026-11-30', 1)).toBe('2026-12-01')
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  })
})

describe('months', () => {
  test('are added over the end of a year', () => {
    expect(addMonths('2026-11', 3)).toBe('2027-02')
    expect(addMonths('2026-01', -1)).toBe('2025-12')
    expect(addMonths('2026-01', -25)).toBe('2023-12')
    expect(addMonths('2026-06', 0)).toBe('2026-06')
  })

  test('are listed in order', () => {
    expect(listMonths('2026-11', '2027-01')).toEqual(['2026-11', '2026-12', '2027-01'])
    expect(listMonths('2026-11', '2026-10')).toEqual([])
  })

  test('end with the millisecond before the next', () => {
    const end = instantBefore(saoPaulo.startOfMonth('2027-01'))
    expect(end.toISOString()).toBe('2027-01-01T02:59:59.999Z')
    expect(saoPaulo.monthOf(end)).toBe('2026-12')
  })
})
