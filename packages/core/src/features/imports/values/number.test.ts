import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findNumberFormat, inferNumberFormat, readNumber } from './number.ts'

describe('inferNumberFormat', () => {
  test.each([
    ['a zero before a point', ['1.234', '0.075'], 'point', false],
    ['a zero before a comma', ['1,234', '0,125'], 'comma', false],
    ['two signs', ['R$ 1.234,56', '1.234'], 'comma', false],
    ['two signs of the United States', ['1,234.56', '1,234'], 'point', false],
    ['one or two decimals', ['12,5', '1,234'], 'comma', false],
    ['repeated groups', ['12.345.678', '1.234'], 'comma', false],
    ['groups of India', ['1,23,456', '1,234'], 'point', false],
    ['a group of Switzerland', ["1'234.500", '1.234'], 'point', false],
    ['digits before decimals without a group', ['1234.567', '1.234'], 'point', false],
    ['both formats, one of them more often', ['12,50', '13,50', '0.075', '1.234'], 'comma', false],
    ['neither', ['12', '1 234', '', 'none'], 'point', false],
    ['three digits after each sign', ['1.234', '12', '-5.678'], 'point', true],
    ['three digits after each comma', ['1,234', '1.234'], 'point', true],
    ['both formats equally often', ['12,50', '0.075', '1.234'], 'point', true],
  ])('decides by %s', (_, cells, format, isAmbiguous) => {
    expect(inferNumberFormat(cells)).toEqual({ format, isAmbiguous })
  })

  test('takes the format of the locale where the cells do not show theirs', () => {
    expect(inferNumberFormat(['1.234'], findNumberFormat('pt-BR'))).toEqual({
      format: 'comma',
      isAmbiguous: true,
    })
    expect(['en-US', 'de-CH', 'de-DE'].map(findNumberFormat)).toEqual(['point', 'point', 'comma'])
  })
})

describe('readNumber', () => {
  test.each([
    ['0.075', 0.075],
    ['0.500', 0.5],
    ['-0.500', -0.5],
    ['0,125', 0.125],
    ['1.234', 1234],
    ['1,234', 1.234],
    ['12.345.678', 12_345_678],
    ['1,23,456.00', 123_456],
    ['12,34,567', 1_234_567],
    ['12,50 €', 12.5],
    ['1.234,56 €', 1234.56],
    ['€12', 12],
    ['EUR 12', 12],
    ['12 EUR', 12],
    ['BRL1.234,5', 1234.5],
    ['R$ 1.234,50', 1234.5],
    ['$12.50 USD', 12.5],
    ['$US 7', 7],
    ['Rs.500', 500],
    ['\u22125', -5],
    ['-R$ 5', -5],
    ['R$ -5', -5],
    ['\u2212 5 €', -5],
    ['(1.234,50)', -1234.5],
    ['1.234,50 kr.', 1234.5],
    ['1 234,50 zł', 1234.5],
    ['\u200E12', 12],
    ["CHF 1'234.50", 1234.5],
    ['1\u2019234\u2019567.5', 1_234_567.5],
    ['1\u202F234,5', 1234.5],
    ['1\u00A0234\u00A0567', 1_234_567],
    ['1 234.567', 1234.567],
    ['+7', 7],
    ['.5', 0.5],
    ['-0', 0],
    ['١٬٣٥٠٫٥٠', 1350.5],
    ['１，３５０．５０', 1350.5],
    ['一,三五〇.五〇', 1350.5],
    ['१,२३,४५६', 123_456],
  ])('reads %j in a column with decimal commas as %d', (cell, value) => {
    expect(readNumber(cell, 'comma')).toBe(value)
  })

  test('reads three digits after a single sign by the format', () => {
    expect(readNumber('1.234', 'point')).toBe(1.234)
    expect(readNumber('1,234', 'point')).toBe(1234)
    expect(readNumber('0,125', 'point')).toBe(0.125)
  })

  test.each([
    ...['', '5 kg', '12 PCS', '0.125.000', '0,125.00', '1 2', "1'2", '1,2,3', '1.2,3.4', '12.34.56', '--5'],
    ...['5-', '- -5', '(-5)', '€', '1e5', '100\t200', '100\n200', '10²', '1/2', '12%', '1'.repeat(61)],
  ])('refuses %j', (cell) => {
    expect([readNumber(cell, 'point'), readNumber(cell, 'comma')]).toEqual([undefined, undefined])
  })

  test('reads what a locale writes, by the format of the whole column', () => {
    const locales = fc.constantFrom('pt-BR', 'en-US', 'de-CH', 'de-AT', 'fr-FR', 'en-IN', 'sv-SE', 'pl-PL')
    const currencies = fc.constantFrom('EUR', 'BRL', 'CHF', 'INR', 'SEK', 'PLN', 'USD', 'CAD', 'ZAR')
    const displays = fc.constantFrom('symbol' as const, 'code' as const, 'narrowSymbol' as const)
    const amounts = fc.array(fc.integer({ min: -1e12, max: 1e12 }), { minLength: 1 })
    fc.assert(
      fc.property(locales, currencies, displays, amounts, (locale, currency, currencyDisplay, cents) => {
        const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
        const cells = cents.map((amount) => format.format(amount / 100))
        const reading = inferNumberFormat(cells, findNumberFormat(locale))
        expect(reading).toEqual({ format: findNumberFormat(locale), isAmbiguous: false })
        expect(cells.map((cell) => readNumber(cell, reading.format))).toEqual(
          cents.map((amount) => amount / 100),
        )
      }),
    )
  })

  test('never multiplies a number by a thousand that starts with a zero', () => {
    const numbers = fc.integer({ min: 1, max: 999 }).map((size) => `0.${String(size).padStart(3, '0')}`)
    fc.assert(
      fc.property(numbers, fc.constantFrom('point' as const, 'comma' as const), (cell, format) => {
        expect(readNumber(cell, format)).toBe(Number(cell))
        expect(readNumber(cell.replace('.', ','), format)).toBe(Number(cell))
      }),
    )
  })
})
