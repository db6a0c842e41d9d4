import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editableNumber, parseNumber } from './number.ts'

describe('parseNumber', () => {
  test.each([
    ['1,5', 'pt-BR', 1.5],
    ['1.5', 'pt-BR', 1.5],
    ['1.234,5', 'pt-BR', 1234.5],
    ['1.234', 'pt-BR', 1234],
    ['1.234', 'en', 1.234],
    ['1,234', 'en', 1234],
    ['0.075', 'pt-BR', 0.075],
    ['R$ 15.300,00', 'pt-BR', 15300],
    ['12,50 €', 'pt-BR', 12.5],
    ['-5', 'en', -5],
    ['−5', 'en', -5],
    ['+5', 'en', 5],
    ['-0', 'en', 0],
    ['\t 1 234,5 \t', 'pt-BR', 1234.5],
    ['1,23,456.50', 'en', 123456.5],
    ['١٬٣٥٠٫٥', 'ar-EG', 1350.5],
  ])('reads %j in %s as %d', (text, locale, value) => {
    expect(parseNumber(text, locale)).toBe(value)
  })

  test.each(['', '-', 'many', '1e5', '12 kg', '1-2', '--1', '1.2.3', '7\t8', '9'.repeat(400)])(
    'refuses %j',
    (text) => {
      expect(parseNumber(text, 'pt-BR')).toBeUndefined()
    },
  )

  test.each(['ar-EG', 'de-CH', 'en', 'fa-IR', 'fr-CH', 'he-IL', 'hi-IN', 'pt-BR', 'pt-PT', 'sv-SE'])(
    'reads what is edited and what is shown in %s',
    (locale) => {
      fc.assert(
        fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
          expect(parseNumber(editableNumber(value, locale), locale)).toBe(value === 0 ? 0 : value)
        }),
      )
      fc.assert(
        fc.property(fc.integer(), (thousandths) => {
          const value = thousandths / 1000
          expect(parseNumber(new Intl.NumberFormat(locale).format(value), locale)).toBe(value)
        }),
      )
    },
  )
})

test('editableNumber writes all digits, without groups', () => {
  expect(editableNumber(1234.56789, 'pt-BR')).toBe('1234,56789')
  expect(editableNumber(0.1, 'en')).toBe('0.1')
})
