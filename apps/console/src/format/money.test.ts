import { describe, expect, test } from 'vitest'
import { formatMoney, sortAmounts, writeDecimal } from './money.ts'

const plainSpaces = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('formatMoney', () => {
  test.each([
    [135000, 'BRL', 'pt-BR', 'R$ 1.350'],
    [135050, 'BRL', 'pt-BR', 'R$ 1.350,50'],
    [0, 'BRL', 'pt-BR', 'R$ 0'],
    [1234500, 'USD', 'en-US', '$12,345'],
    [5000, 'JPY', 'en-US', '¥5,000'],
    [1234, 'KWD', 'en-US', 'KWD 1.234'],
    [135050, 'COP', 'es-CO', '$ 1.350,50'],
    [135000, 'COP', 'es-CO', '$ 1.350'],
    [Number.MAX_SAFE_INTEGER, 'USD', 'en-US', '$90,071,992,547,409.91'],
  ] as const)('%i %s in %s is %s', (amount, currency, locale, text) => {
    expect(plainSpaces(formatMoney({ amount, currency }, locale))).toBe(text)
  })
})

test.each([
  [123_450, 2, '1234.50'],
  [5, 2, '0.05'],
  [0, 2, '0.00'],
  [70_000, 0, '70000'],
  [1234, 3, '1.234'],
  [Number.MAX_SAFE_INTEGER, 2, '90071992547409.91'],
])('the decimal number of %d with %d digits is %s', (amount, digits, text) => {
  expect(writeDecimal(amount, digits)).toBe(text)
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
