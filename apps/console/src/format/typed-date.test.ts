import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatTypedDay, parseTypedDate } from './typed-date.ts'

/** A Monday. */
const TODAY = '2026-11-30'
const read = (text: string, locale = 'pt-BR') => parseTypedDate(text, { locale, today: TODAY })

test.each([
  ['today', '2026-11-30'],
  ['hoje', '2026-11-30'],
  ['Amanhã', '2026-12-01'],
  ['tom', '2026-12-01'],
  ['depois de amanhã', '2026-12-02'],
  ['ontem', '2026-11-29'],
  ['fri', '2026-12-04'],
  ['SEXTA', '2026-12-04'],
  ['sexta-feira', '2026-12-04'],
  ['terça', '2026-12-01'],
  ['monday', '2026-12-07'],
  ['seg', '2026-12-07'],
  ['+3', '2026-12-03'],
  ['-1', '2026-11-29'],
  ['+2w', '2026-12-14'],
  ['+2 semanas', '2026-12-14'],
  ['em 3 dias', '2026-12-03'],
  ['+3m', '2027-02-28'],
  ['31/12', '2026-12-31'],
  ['5/1', '2027-01-05'],
  ['31.12.27', '2027-12-31'],
  ['29/2', undefined],
  ['29/2/2028', '2028-02-29'],
  ['31 dez', '2026-12-31'],
  ['31 de dezembro de 2027', '2027-12-31'],
  ['Dec 31', '2026-12-31'],
  ['3 março', '2027-03-03'],
  ['2026-12-31', '2026-12-31'],
  ['31/02', undefined],
  ['32', undefined],
  ['5', undefined],
  ['soon', undefined],
  ['fr', undefined],
  ['', undefined],
  ['\ud800', undefined],
])('%j is %s', (text, day) => {
  expect(read(text)).toEqual(day && { day, time: undefined })
})

test.each([
  ['amanhã 9h', '2026-12-01', '09:00'],
  ['fri 9:30', '2026-12-04', '09:30'],
  ['31/12 às 14h30', '2026-12-31', '14:30'],
  ['+3 at 9am', '2026-12-03', '09:00'],
  ['9h', '2026-11-30', '09:00'],
  ['12pm', '2026-11-30', '12:00'],
  ['today 12 am', '2026-11-30', '00:00'],
  ['2026-12-31 9:05', '2026-12-31', '09:05'],
])('%j is %s at %s', (text, day, time) => {
  expect(read(text)).toEqual({ day, time })
})

test.each(['fri 25h', 'fri 9:75', '13pm', 'soon 9h'])('%j is no time', (text) => {
  expect(read(text)).toBeUndefined()
})

test('the order of day and month is that of the locale', () => {
  expect(read('12/31', 'en-US')?.day).toBe('2026-12-31')
  expect(read('12/31', 'pt-BR')).toBeUndefined()
})

test('each day is read as it is written', () => {
  const locale = fc.constantFrom(
    'pt-BR',
    'en-US',
    'en-GB',
    'de-DE',
    'fr-FR',
    'da-DK',
    'sv-SE',
    'es-MX',
    'ar-EG',
  )
  const day = fc
    .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  fc.assert(
    fc.property(day, locale, (value, each) => {
      expect(read(formatTypedDay(value, each), each)).toEqual({ day: value, time: undefined })
    }),
  )
})
