import type { Aggregate } from '@sales-crm/client'
import { describe, expect, test } from 'vitest'
import { chooseCurrency, listCurrencies, NO_DEALS, subtractSum, sumDeals, weighAmount } from './stage-sums.ts'

const stages = [
  { id: 'new', probability: 25 },
  { id: 'talks', probability: 50 },
]
const group = (
  key: string,
  currency: 'USD' | 'JPY',
  count: number,
  value: number,
): Aggregate['groups'][number] => ({ key, name: null, currency, count, value })

describe('sumDeals', () => {
  test('adds up the stages of one currency, weighted by their probabilities', () => {
    const groups = [group('new', 'USD', 2, 1102), group('talks', 'USD', 1, 301), group('new', 'JPY', 1, 50)]
    expect(sumDeals(groups, stages, 'USD')).toEqual({ count: 3, amount: 1403, weighted: 427 })
    expect(sumDeals(groups, stages, 'JPY')).toEqual({ count: 1, amount: 50, weighted: 13 })
    expect(sumDeals(groups, stages, 'EUR')).toEqual(NO_DEALS)
  })

  test('leaves out stages of other pipelines', () => {
    expect(sumDeals([group('other', 'USD', 2, 5)], stages, 'USD')).toEqual(NO_DEALS)
  })
})

test('weighs amounts beyond what a double can multiply', () => {
  expect(weighAmount(9_007_199_254_740_991, 33)).toBe(2_972_375_754_064_527)
  expect(weighAmount(50, 25)).toBe(13)
})

test('a difference is not below 0', () => {
  const one = { count: 1, amount: 10, weighted: 5 }
  expect(subtractSum(one, { count: 2, amount: 4, weighted: 6 })).toEqual({
    count: 0,
    amount: 6,
    weighted: 0,
  })
})

describe('currencies', () => {
  const report = {
    open: { count: 1, amounts: [{ currency: 'EUR' as const, amount: 900, forecast: 9 }] },
    won: { count: 2, amounts: [{ currency: 'USD' as const, amount: 500 }] },
    lost: {
      count: 2,
      amounts: [
        { currency: 'BRL' as const, amount: 1 },
        { currency: 'USD' as const, amount: 500 },
      ],
    },
  }

  test('are those that occur, the first of the workspace before the others by size', () => {
    expect(listCurrencies(report, 'BRL')).toEqual(['BRL', 'USD', 'EUR'])
    expect(listCurrencies(report, 'JPY')).toEqual(['USD', 'EUR', 'BRL'])
  })

  test('the shown one is that of the address if it occurs', () => {
    expect(chooseCurrency('EUR', ['BRL', 'EUR'], 'BRL')).toBe('EUR')
    expect(chooseCurrency('USD', ['BRL', 'EUR'], 'BRL')).toBe('BRL')
    expect(chooseCurrency(null, [], 'BRL')).toBe('BRL')
  })
})
