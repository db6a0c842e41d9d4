import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DateOrder, findDateOrder, hasTime, inferDateFormat, readDate, readInstant } from './date.ts'

const ZONE = 'America/Sao_Paulo'

describe('inferDateFormat', () => {
  test.each([
    [['01/02/2026', '31/12/2026'], 'dmy', false],
    [['01/02/2026', '12/31/2026 10:00'], 'mdy', false],
    [['2026-01-02', '2026-02-01T10:00:00Z'], 'ymd', false],
    [['2026-01-02', '31.12.26'], 'dmy', false],
    [['24-01-31', '99-12-31'], 'ymd', false],
    [['05/05/2026'], 'dmy', false],
    [['31 Jan 2026', '', 'soon'], 'ymd', false],
    [[], 'dmy', false],
    [['01/02/2026', '03/04/2026'], 'dmy', true],
    [['31/12/2026', '12/31/2026'], 'dmy', true],
  ] as const)('%j is %s', (cells, order, isAmbiguous) => {
    expect(inferDateFormat(cells)).toEqual({ order, isAmbiguous })
  })

  test('takes the order of the locale where the cells do not show theirs', () => {
    expect(inferDateFormat(['01/02/2026'], findDateOrder('en-US'))).toEqual({
      order: 'mdy',
      isAmbiguous: true,
    })
    expect(inferDateFormat(['31/12/2026'], findDateOrder('en-US')).order).toBe('dmy')
    expect(['pt-BR', 'en-US', 'sv-SE', 'ar-SA'].map(findDateOrder)).toEqual(['dmy', 'mdy', 'ymd', 'dmy'])
  })
})

describe('readDate', () => {
  test.each([
    ['31/12/2026', 'dmy', '2026-12-31'],
    ['1.2.2026', 'dmy', '2026-02-01'],
    ['1-2-26', 'dmy', '2026-02-01'],
    ['12/31/2026', 'mdy', '2026-12-31'],
    ['31/12/68', 'dmy', '2068-12-31'],
    ['31/12/69', 'dmy', '1969-12-31'],
    ['2026-12-31', 'dmy', '2026-12-31'],
    ['2026/1/5', 'mdy', '2026-01-05'],
    ['20261231', 'dmy', '2026-12-31'],
    ['2026-12-31T23:00:00-05:00', 'dmy', '2026-12-31'],
    ['31/12/2026 10:30', 'dmy', '2026-12-31'],
    ['29/02/2024', 'dmy', '2024-02-29'],
    ['31 Jan 2026', 'mdy', '2026-01-31'],
    ['31-Jan-26', 'mdy', '2026-01-31'],
    ['January 31st, 2026', 'dmy', '2026-01-31'],
    ['Wed, 31 Jan 2024 13:45:00 +0000', 'dmy', '2024-01-31'],
    ['1º de março de 2026', 'dmy', '2026-03-01'],
    ['31/dez/2026', 'dmy', '2026-12-31'],
    ['1706659200000', 'dmy', '2024-01-31'],
    ['1706659200', 'dmy', '2024-01-31'],
    ['٣١/١٢/٢٠٢٦', 'dmy', '2026-12-31'],
  ] as const)('reads %j as %s', (cell, order, day) => {
    expect(readDate(cell, order)).toBe(day)
  })

  test.each([
    ['31/02/2026', 'dmy'],
    ['29/02/2026', 'dmy'],
    ['31/12/2026', 'mdy'],
    ['31/12/2026', 'ymd'],
    ['2026-13-01', 'ymd'],
    ['0000-01-01', 'ymd'],
    ['0/0/00', 'dmy'],
    ['12/2026', 'dmy'],
    ['31/12-2026', 'dmy'],
    ['31/12/2026 25:00', 'dmy'],
    ['ontem', 'dmy'],
    ['10:30', 'dmy'],
    ['1.234', 'dmy'],
    ['31 Foo 2026', 'dmy'],
    ['', 'dmy'],
  ] as const)('refuses %j as %s', (cell, order) => {
    expect(readDate(cell, order)).toBeUndefined()
  })
})

describe('readInstant', () => {
  test.each([
    ['31/12/2026 10:30', '2026-12-31T13:30:00.000Z'],
    ['2024-01-31 13:45', '2024-01-31T16:45:00.000Z'],
    ['2024-01-31T13:45:00.123Z', '2024-01-31T13:45:00.123Z'],
    ['2024-01-31 13:45:00 -0500', '2024-01-31T18:45:00.000Z'],
    ['2024-01-31 13:45:00 UTC', '2024-01-31T13:45:00.000Z'],
    ['31/01/2024, 1:45\u202fPM', '2024-01-31T16:45:00.000Z'],
    ['31/01/2024 12:05 a.m.', '2024-01-31T03:05:00.000Z'],
    ['31 de janeiro de 2024 às 13h45', '2024-01-31T16:45:00.000Z'],
    ['Wed Jan 31 2024 13:45:00 GMT-0300 (Brasilia Standard Time)', '2024-01-31T16:45:00.000Z'],
    ['31/01/2024', '2024-01-31T03:00:00.000Z'],
    // Clocks of São Paulo skipped the first hour of this day.
    ['04/11/2018', '2018-11-04T03:00:00.000Z'],
    ['1706708700123', '2024-01-31T13:45:00.123Z'],
    ['1706708700', '2024-01-31T13:45:00.000Z'],
  ])('reads %j', (cell, instant) => {
    expect(readInstant(cell, 'dmy', ZONE)).toBe(instant)
  })

  test.each(['31/02/2026 10:00', '31/01/2024 13:45 pm', '31/01/2024 10:60', '31/01/2024 10:00 +9900', 'x'])(
    'refuses %j',
    (cell) => {
      expect(readInstant(cell, 'dmy', ZONE)).toBeUndefined()
    },
  )

  test('tells a day from a time of day', () => {
    expect([hasTime('31/01/2024'), hasTime('31/01/2024 00:00'), hasTime('10:00')]).toEqual([
      false,
      true,
      false,
    ])
  })
})

test('reads every day in the order in which it is written, by the whole column', () => {
  const dates = fc.array(
    fc.date({ min: new Date('1970-01-01'), max: new Date('2068-12-31'), noInvalidDate: true }),
    {
      minLength: 1,
    },
  )
  const orders = fc.constantFrom<DateOrder>('dmy', 'mdy')
  fc.assert(
    fc.property(dates, orders, fc.constantFrom('/', '.', '-'), fc.boolean(), (list, order, sign, isShort) => {
      const days = list.map((date) => date.toISOString().split('T')[0]!)
      const cells = days.map((day) => {
        const [year = '', month = '', ofMonth = ''] = day.split('-')
        const [first, second] = order === 'dmy' ? [ofMonth, month] : [month, ofMonth]
        return [first, second, isShort ? year.slice(2) : year].join(sign)
      })
      const reading = inferDateFormat(cells, order)
      expect(reading.order).toBe(order)
      expect(cells.map((cell) => readDate(cell, reading.order))).toEqual(days)
    }),
  )
})
