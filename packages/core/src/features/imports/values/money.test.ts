import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CURRENCIES, formatAmount, minorUnitDigits } from '../../../schema/currency.ts'
import { readMoney } from './money.ts'
import { findNumberFormat } from './number.ts'

describe('readMoney', () => {
  test.each([
    ['1.234,56', 'comma', 'BRL', 123_456, 'BRL'],
    ['R$ 33.600,00', 'comma', 'BRL', 3_360_000, 'BRL'],
    ['33600', 'comma', 'BRL', 3_360_000, 'BRL'],
    ['1234.5', 'comma', 'BRL', 123_450, 'BRL'],
    ['0.29', 'point', 'USD', 29, 'USD'],
    ['1.10', 'point', 'USD', 110, 'USD'],
    ['100.0000', 'point', 'USD', 10_000, 'USD'],
    ['-5', 'point', 'USD', -500, 'USD'],
    ['-0,00', 'comma', 'BRL', 0, 'BRL'],
    ['90071992547409.91', 'point', 'USD', Number.MAX_SAFE_INTEGER, 'USD'],
    ['1.350', 'comma', 'JPY', 1350, 'JPY'],
    ['1.234', 'point', 'KWD', 1234, 'KWD'],
    ['1.350,50', 'comma', 'COP', 135_050, 'COP'],
    ['12,50 €', 'comma', 'BRL', 1250, 'EUR'],
    ['EUR 12', 'comma', 'BRL', 1200, 'EUR'],
    ['US$ 12.50', 'point', 'BRL', 1250, 'USD'],
    ['$12.50 CAD', 'point', 'BRL', 1250, 'CAD'],
    ['$ 12', 'point', 'MXN', 1200, 'MXN'],
    ['$ 12', 'point', 'BRL', 1200, 'USD'],
    ['12 kr', 'comma', 'NOK', 1200, 'NOK'],
    ['¥ 1200', 'point', 'JPY', 1200, 'JPY'],
    ['KWD 1.234', 'point', 'USD', 1234, 'KWD'],
    ["1'350.50", 'point', 'CHF', 135_050, 'CHF'],
    ['₹1,23,456.50', 'point', 'INR', 12_345_650, 'INR'],
    ['١٬٣٥٠٫٥٠', 'point', 'EGP', 135_050, 'EGP'],
  ] as const)('reads %j as %s in %s', (cell, format, given, amount, currency) => {
    expect(readMoney(cell, format, given)).toEqual({ amount, currency })
  })

  test.each([
    ['1.234', 'point', 'BRL'],
    ['0.125', 'point', 'BRL'],
    ['12,5', 'comma', 'JPY'],
    ['90071992547409.92', 'point', 'USD'],
    ['12 zł', 'comma', 'BRL'],
    ['12 PLN', 'comma', 'BRL'],
    ['12 kr', 'comma', 'BRL'],
    ['¥ 12', 'comma', 'BRL'],
    ['R$ 12 USD', 'comma', 'BRL'],
    ['twelve', 'comma', 'BRL'],
    ['', 'comma', 'BRL'],
  ] as const)('refuses %j as %s in %s', (cell, format, currency) => {
    expect(readMoney(cell, format, currency)).toBeUndefined()
  })

  test('reads every amount that is shown, in every currency', () => {
    const locales = fc.constantFrom('pt-BR', 'en-US', 'de-CH', 'en-IN', 'fr-FR', 'ar-EG', 'sv-SE', 'es-UY')
    const amounts = fc.integer({ min: 0, max: 10 ** 12 })
    fc.assert(
      fc.property(locales, fc.constantFrom(...CURRENCIES), amounts, (locale, currency, amount) => {
        const written = formatAmount(amount, currency, locale)
        expect(readMoney(written, findNumberFormat(locale), currency)).toEqual({ amount, currency })
        const plain = (amount / 10 ** minorUnitDigits(currency)).toFixed(minorUnitDigits(currency))
        expect(readMoney(plain, 'point', currency)).toEqual({ amount, currency })
      }),
    )
  })
})
