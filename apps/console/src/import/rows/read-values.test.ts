import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findDayOrder, readDate } from './read-date.ts'
import { decimalSign, readNumber } from './read-number.ts'

describe('readNumber', () => {
  test.each([
    ['1234', 1234],
    ['-12', -12],
    ['1.234,56', 1234.56],
    ['1,234.56', 1234.56],
    ['1.234.567', 1_234_567],
    ['1 234,5', 1234.5],
    ['12,5', 12.5],
    ['12.5', 12.5],
    ['0,125', 0.125],
    ['1.234', 1234],
    ['R$ 1.234,50', 1234.5],
    ['€12', 12],
  ])('reads %j where a comma is before the decimals', (text, value) => {
    expect(readNumber(text, ',')).toBe(value)
  })

  test('reads a single sign before three digits as the locale has it', () => {
    expect(readNumber('1.234', '.')).toBe(1.234)
    expect(readNumber('1,234', '.')).toBe(1234)
    expect(readNumber('1,234', ',')).toBe(1.234)
  })

  test.each(['', 'abc', '1,2,3', '12.34.56', '1.2,3.4', '--1', '1e5', 'R$', '5 kg'])('refuses %j', (text) => {
    expect(readNumber(text, ',')).toBeUndefined()
  })

  test('reads what Intl writes', () => {
    const locales = fc.constantFrom('pt-BR', 'en-US', 'de-CH', 'de-AT', 'fr-FR', 'en-IN', 'sv-SE', 'pl-PL')
    const currencies = fc.constantFrom('EUR', 'BRL', 'CHF', 'INR', 'SEK', 'PLN', 'USD', 'CAD', 'ZAR')
    const displays = fc.constantFrom('symbol' as const, 'code' as const, 'narrowSymbol' as const)
    const cents = fc.integer({ min: -1e12, max: 1e12 })
    fc.assert(
      fc.property(locales, currencies, displays, cents, (locale, currency, currencyDisplay, amount) => {
        const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
        expect(readNumber(format.format(amount / 100), decimalSign(locale))).toBe(amount / 100)
      }),
    )
  })

  test('knows the sign of a locale', () => {
    expect(decimalSign('pt-BR')).toBe(',')
    expect(decimalSign('en-US')).toBe('.')
  })
})

describe('readDate', () => {
  test.each([
    ['31/12/2026', '2026-12-31'],
    ['1.2.2026', '2026-02-01'],
    ['2026-12-31', '2026-12-31'],
    ['2026-12-31T10:00:00Z', '2026-12-31'],
    ['31/12/2026 10:30', '2026-12-31'],
  ])('reads %j', (text, day) => {
    expect(readDate(text, 'dayFirst')).toBe(day)
  })

  test.each(['31/02/2026', '2026-13-01', '12/2026', 'ontem', '1/1/26'])('refuses %j', (text) => {
    expect(readDate(text, 'dayFirst')).toBeUndefined()
  })

  test('reads months first where a date of the column or the locale says so', () => {
    expect(readDate('12/31/2026', 'monthFirst')).toBe('2026-12-31')
    expect(findDayOrder(['01/02/2026', '12/31/2026'], 'pt-BR')).toBe('monthFirst')
    expect(findDayOrder(['01/02/2026', '31/12/2026'], 'en-US')).toBe('dayFirst')
    expect(findDayOrder(['01/02/2026'], 'en-US')).toBe('monthFirst')
    expect(findDayOrder(['', '01/02/2026'], 'pt-BR')).toBe('dayFirst')
  })
})
