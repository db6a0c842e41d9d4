import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CURRENCIES } from '../reference/currencies.ts'
import { editableMoney, formatMoney, parseMoney, sortAmounts } from './money.ts'

const plainSpaces = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('formatMoney', () => {
  test.each([
    [135000, 'BRL', 'pt-BR', 'R$ 1.350'],
    [135050, 'BRL', 'pt-BR', 'R$ 1.350,50'],
    [0, 'BRL', 'pt-BR', 'R$ 0'],
    [1234500, 'USD', 'en-US', '$12,345'],
    [5000, 'JPY', 'en-US', '¥5,000'],
    [1234, 'KWD', 'en-US', 'KWD 1.234'],
  ] as const)('%i %s in %s is %s', (amount, currency, locale, text) => {
    expect(plainSpaces(formatMoney({ amount, currency }, locale))).toBe(text)
  })
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
    ['R$ 12', 'pt-BR', 1200],
    [' 12 ', 'pt-BR', 1200],
    ['', 'pt-BR', 0],
  ])('reads %j in %s as %i', (text, locale, amount) => {
    expect(parseMoney(text, 'BRL', locale)).toBe(amount)
  })

  test.each(['-5', 'twelve', '1,2,3.4.5', '12,345.678,9', '1,505', '99999999999999999999', '1e5'])(
    'refuses %j',
    (text) => {
      expect(parseMoney(text, 'BRL', text === '1,505' ? 'pt-BR' : 'en-US')).toBeUndefined()
    },
  )

  test('reads what editableMoney writes, in every currency', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 15 }),
        fc.constantFrom(...CURRENCIES),
        fc.constantFrom('pt-BR', 'en-US', 'de-DE'),
        (amount, currency, locale) => {
          expect(parseMoney(editableMoney({ amount, currency }, locale), currency, locale)).toBe(amount)
        },
      ),
    )
  })
})

test('sortAmounts puts the currency of the workspace first, then the largest, and leaves out what is zero', () => {
  const amounts = [
    { currency: 'USD', amount: 5 },
    { currency: 'EUR', amount: 9 },
    { currency: 'BRL', amount: 1 },
    { currency: 'GBP', amount: 0 },
  ] as const
  expect(sortAmounts(amounts, 'BRL').map(({ currency }) => currency)).toEqual(['BRL', 'EUR', 'USD'])
})
