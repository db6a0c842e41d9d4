import { CURRENCIES, minorUnitDigits } from '@sales-crm/core/browser'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatMoney } from './money.ts'
import { editableMoney, exampleAmount, parseMoney } from './typed-money.ts'

/** With several digits, signs, forms of groups, directions, and places of the currency. */
const LOCALES = [
  ...['ar-EG', 'ar-EG-u-nu-latn', 'ar-MA', 'ar-SA', 'bn-BD', 'ckb-IQ', 'da-DK', 'de-AT', 'de-CH', 'de-DE'],
  ...['de-LI', 'en-GB', 'en-IN', 'en-US', 'en-US-u-nu-fullwide', 'en-ZA', 'es-419', 'es-CL', 'es-CO'],
  ...[
    'es-ES',
    'es-PE',
    'es-UY',
    'et-EE',
    'fa-IR',
    'ff-Adlm-GN',
    'fi-FI',
    'fr-CA',
    'fr-CH',
    'fr-FR',
    'gsw-CH',
  ],
  ...[
    'he-IL',
    'hi-IN',
    'hi-IN-u-nu-deva',
    'it-CH',
    'ja-JP',
    'ja-JP-u-nu-hanidec',
    'kea-CV',
    'ko-KR',
    'lt-LT',
    'mr-IN',
  ],
  ...['my-MM', 'nb-NO', 'ne-NP', 'nl-NL', 'pl-PL', 'pt-BR', 'pt-PT', 'ru-RU', 'sl-SI', 'sv-SE'],
  ...['th-TH-u-nu-thai', 'tr-TR', 'ur-IN', 'ur-PK', 'zh-CN', 'zh-TW'],
]
const AMOUNTS = fc.oneof(fc.integer({ min: 0, max: 10 ** 15 }), fc.integer({ min: 0, max: 10 ** 7 }))

test.each(CURRENCIES)('%s has the digits of ISO 4217, whatever Intl says', (currency) => {
  const digits = minorUnitDigits(currency)
  const amount = 10 ** digits + 1
  const [, fraction = ''] = editableMoney({ amount, currency }, 'en-US').split('.')
  expect(fraction).toHaveLength(digits)
  expect(formatMoney({ amount, currency }, 'en-US')).toMatch(digits > 0 ? /1\.0*1$/ : /2$/)
  expect(parseMoney('1000', currency, 'en-US')).toBe(1000 * 10 ** digits)
})

describe('parseMoney', () => {
  test.each([
    ['1.350,50', 'pt-BR', 135050],
    ['1350,5', 'pt-BR', 135050],
    ['1.350', 'pt-BR', 135000],
    ['1,350.50', 'pt-BR', 135050],
    ['1,350.50', 'en-US', 135050],
    ['1,350', 'en-US', 135000],
    ['1.234.567', 'pt-BR', 123456700],
    ['1.234,5', 'pt-BR', 123450],
    ['R$ 12', 'pt-BR', 1200],
    ['R$ 15.300,00', 'pt-BR', 1530000],
    ['\tR$\t15.300,00\t', 'pt-BR', 1530000],
    ['15.300,00 R$', 'pt-BR', 1530000],
    ['15.300,00 brl', 'pt-BR', 1530000],
    ['BRL15.300,00', 'pt-BR', 1530000],
    [' 12 ', 'pt-BR', 1200],
    ['', 'pt-BR', 0],
    ['\t', 'pt-BR', 0],
    ['1 350,50', 'fr-FR', 135050],
    ['1\u202f350,50', 'fr-FR', 135050],
    ["1'350.50", 'de-CH', 135050],
    ['1’350.50', 'de-CH', 135050],
    ["1'350,50", 'de-CH', 135050],
    ["1'234'567", 'pt-BR', 123456700],
    ['1,23,456.50', 'en-IN', 12345650],
    ['12,34,567', 'en-US', 123456700],
    ['Rs.500', 'en-IN', 50000],
    ['١٬٣٥٠٫٥٠', 'ar-EG', 135050],
    ['\u200f1,350.50\u00a0R$\u200e', 'ar-EG', 135050],
    ['１，３５０．５０', 'ja-JP', 135050],
    ['一,三五〇.五〇', 'ja-JP-u-nu-hanidec', 135050],
  ])('reads %j in %s as %i', (text, locale, amount) => {
    expect(parseMoney(text, 'BRL', locale)).toBe(amount)
  })

  test.each([
    ['1.350', 'JPY', 'pt-BR', 1350],
    ['1.234,567', 'KWD', 'pt-BR', 1234567],
    ['1234.567', 'KWD', 'pt-BR', 1234567],
    ['1.234', 'KWD', 'en-US', 1234],
    ['0.125', 'KWD', 'pt-BR', 125],
    ['1.350,50', 'COP', 'es-CO', 135050],
    ['S/ 12', 'PEN', 'es-PE', 1200],
    ['12 kr', 'DKK', 'da-DK', 1200],
    ['12,50 €', 'EUR', 'pt-BR', 1250],
    ['$ 12', 'CAD', 'en-US', 1200],
  ] as const)('reads %j of %s in %s as %i', (text, currency, locale, amount) => {
    expect(parseMoney(text, currency, locale)).toBe(amount)
  })

  test.each([
    ['-5', 'en-US'],
    ['twelve', 'en-US'],
    ['R$', 'en-US'],
    ['1,2,3.4.5', 'en-US'],
    ['12,345.678,9', 'en-US'],
    ['1,505', 'pt-BR'],
    ['0.125', 'pt-BR'],
    ['$.50', 'en-US'],
    ['99999999999999999999', 'en-US'],
    ['1e5', 'en-US'],
    ['15 mil', 'pt-BR'],
    ['12k', 'en-US'],
    ['1.5m', 'en-US'],
    ["1'35", 'de-CH'],
    ['12 34', 'fr-FR'],
    ['12  34', 'fr-FR'],
    // Cells of a spreadsheet.
    ['100\t200', 'pt-BR'],
    ['100\t\t200', 'pt-BR'],
    // Of another currency.
    ['12,50 €', 'pt-BR'],
    ['€ 12,50', 'pt-BR'],
    ['US$ 12,50', 'pt-BR'],
    ['usd 12.50', 'en-US'],
    ['12,50 euros', 'pt-BR'],
  ])('refuses %j in %s', (text, locale) => {
    expect(parseMoney(text, 'BRL', locale)).toBeUndefined()
  })

  test.each(LOCALES)('reads what is shown and what is edited in %s, in every currency', (locale) => {
    fc.assert(
      fc.property(AMOUNTS, fc.constantFrom(...CURRENCIES), (amount, currency) => {
        expect(parseMoney(formatMoney({ amount, currency }, locale), currency, locale)).toBe(amount)
        expect(parseMoney(editableMoney({ amount, currency }, locale), currency, locale)).toBe(amount)
      }),
    )
  })

  test.each(LOCALES)('reads the example in %s, in every currency', (locale) => {
    for (const currency of CURRENCIES) {
      const digits = minorUnitDigits(currency)
      const amount = digits === 0 ? 1350 : 1350.5 * 10 ** digits
      expect([currency, parseMoney(exampleAmount(currency, locale), currency, locale)]).toEqual([
        currency,
        amount,
      ])
    }
  })
})

test.each([
  ['BRL', 'pt-BR', '1.350,50'],
  ['COP', 'pt-BR', '1.350,50'],
  ['JPY', 'pt-BR', '1.350'],
  ['KWD', 'pt-BR', '1.350,500'],
  ['USD', 'en-US', '1,350.50'],
] as const)('the example of %s in %s is %s', (currency, locale, text) => {
  expect(exampleAmount(currency, locale)).toBe(text)
})
