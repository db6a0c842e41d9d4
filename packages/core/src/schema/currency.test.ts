import { expect, test } from 'vitest'
import { CURRENCIES, formatAmount, minorUnitDigits } from './currency.ts'

test('each currency has the digits of ISO 4217', () => {
  expect(Object.fromEntries(CURRENCIES.map((currency) => [currency, minorUnitDigits(currency)]))).toEqual({
    AED: 2,
    ARS: 2,
    AUD: 2,
    BRL: 2,
    CAD: 2,
    CHF: 2,
    CLP: 0,
    CNY: 2,
    COP: 2,
    DKK: 2,
    EGP: 2,
    EUR: 2,
    GBP: 2,
    HKD: 2,
    ILS: 2,
    INR: 2,
    JPY: 0,
    KWD: 3,
    MAD: 2,
    MXN: 2,
    MYR: 2,
    NGN: 2,
    NOK: 2,
    NZD: 2,
    PEN: 2,
    QAR: 2,
    SAR: 2,
    SEK: 2,
    SGD: 2,
    TRY: 2,
    USD: 2,
    UYU: 2,
    ZAR: 2,
  })
})

// Intl puts no-break spaces between symbol and number.
test.each([
  [123456, 'BRL', 'pt-BR', 'R$\u00a01.234,56'],
  [0, 'BRL', 'pt-BR', 'R$\u00a00,00'],
  [123456, 'USD', 'en-US', '$1,234.56'],
  [5, 'USD', 'en-US', '$0.05'],
  [0, 'USD', 'en-US', '$0.00'],
  [1e15, 'USD', 'en-US', '$10,000,000,000,000.00'],
  [1e15 - 1, 'USD', 'en-US', '$9,999,999,999,999.99'],
  [123456, 'JPY', 'ja-JP', '\uffe5123,456'],
  [1e15, 'JPY', 'en-US', '¥1,000,000,000,000,000'],
  [123456, 'CLP', 'es-CL', '$123.456'],
  [123456, 'KWD', 'en-US', 'KWD\u00a0123.456'],
  [1e15 - 1, 'KWD', 'en-US', 'KWD\u00a0999,999,999,999.999'],
  [123456, 'COP', 'es-CO', '$\u00a01.234,56'],
  [100, 'EUR', 'de-DE', '1,00\u00a0€'],
] as const)('%d of %s in %s is %s', (amount, currency, locale, written) => {
  expect(formatAmount(amount, currency, locale)).toBe(written)
})
