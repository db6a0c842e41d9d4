import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BILLING_CYCLES } from '../../schema/billing-cycle.ts'
import { CURRENCIES, MAX_AMOUNT, minorUnitDigits } from '../../schema/currency.ts'
import {
  computeFirstYear,
  computeNet,
  computeTax,
  computeTotals,
  isDiscountTooHigh,
  type PricedLine,
} from './line-amounts.ts'

const LINE: PricedLine = {
  ...{ quantity: 1, unit_price_cts: 100, discount: null, tax_rate: null, billing_cycle: 'one_time' },
}

test.each<[Partial<PricedLine>, net: bigint, tax: bigint]>([
  [{}, 100n, 0n],
  [{ quantity: 2.5, tax_rate: 19 }, 250n, 48n],
  // 0.5 and 1.5 are rounded away from zero, not to the even one.
  [{ quantity: 0.005 }, 1n, 0n],
  [{ quantity: 0.015 }, 2n, 0n],
  [{ quantity: 0.004 }, 0n, 0n],
  // As floating point numbers 1.005 × 100 is 100.49999999999999, and 1.1 × 1.1 more than 1.21.
  [{ quantity: 1.005 }, 101n, 0n],
  [{ quantity: 1.1, unit_price_cts: 10 }, 11n, 0n],
  [{ discount: { percent: 33.33 } }, 67n, 0n],
  [{ discount: { percent: 100 }, tax_rate: 100 }, 0n, 0n],
  [{ quantity: 3, discount: { amount_cts: 50 }, tax_rate: 7.25 }, 250n, 18n],
  // Rounded once: 0.995 × 333 × 0.5 is 165.6675, of which 166.335 would be rounded first.
  [{ quantity: 0.995, unit_price_cts: 333, discount: { percent: 50 } }, 166n, 0n],
  // The tax is that of the rounded line: of 0.5 it would be 0.25.
  [{ quantity: 0.005, tax_rate: 50 }, 1n, 1n],
  [{ quantity: 1e6, unit_price_cts: 1e9 }, 10n ** 15n, 0n],
])('a line of %j comes to %d and a tax of %d', (part, net, tax) => {
  const line = { ...LINE, ...part }
  expect([computeNet(line), computeTax(line)]).toEqual([net, tax])
})

test('a discount is compared with the line before it is rounded', () => {
  const line = { ...LINE, quantity: 0.995 }
  expect(isDiscountTooHigh({ ...line, discount: { amount_cts: 99 } })).toBe(false)
  expect(isDiscountTooHigh({ ...line, discount: { amount_cts: 100 } })).toBe(true)
  expect(isDiscountTooHigh({ ...line, discount: { percent: 100 } })).toBe(false)
})

test('totals are of each billing cycle, and of the first year', () => {
  const lines = [
    { ...LINE, tax_rate: 19 },
    { ...LINE, unit_price_cts: 10, tax_rate: 5, billing_cycle: 'monthly' },
    { ...LINE, unit_price_cts: 10, billing_cycle: 'monthly' },
    { ...LINE, unit_price_cts: 7, billing_cycle: 'quarterly' },
    { ...LINE, unit_price_cts: 1000, tax_rate: 7, billing_cycle: 'annually' },
  ] as const
  expect(computeTotals(lines)).toEqual({
    one_time: { net_cts: 100, tax_cts: 19, gross_cts: 119 },
    monthly: { net_cts: 20, tax_cts: 1, gross_cts: 21 },
    quarterly: { net_cts: 7, tax_cts: 0, gross_cts: 7 },
    annually: { net_cts: 1000, tax_cts: 70, gross_cts: 1070 },
    first_year: { net_cts: 1368, tax_cts: 101, gross_cts: 1469 },
  })
  expect(computeFirstYear(lines)).toBe(1368n)
  const nothing = { net_cts: 0, tax_cts: 0, gross_cts: 0 }
  expect(computeTotals([])).toMatchObject({ one_time: nothing, first_year: nothing })
})

/** A number with decimal places, and the same as an integer of the last one. */
function decimalOf(max: number, places: number, min = 0) {
  return fc
    .bigInt({ min: BigInt(min), max: BigInt(max) * 10n ** BigInt(places) })
    .map((scaled) => ({ scaled, value: Number(scaled) / 10 ** places }))
}

/** A price in the units of a currency, as people write it, and its exact minor units. */
const price = fc
  .record({
    currency: fc.constantFrom(...CURRENCIES),
    minor: fc.bigInt({ min: 0n, max: BigInt(MAX_AMOUNT) }),
  })
  .map(({ currency, minor }) => ({ minor, scale: 10n ** BigInt(minorUnitDigits(currency)) }))

/** The exact nearest integer of a fraction that is not negative; of two, the greater. */
function isRounded(result: bigint, numerator: bigint, denominator: bigint): boolean {
  const distance = 2n * (result * denominator - numerator)
  return distance > -denominator && distance <= denominator
}

describe('of any line in any currency', () => {
  const line = fc.record({
    quantity: decimalOf(1e6, 3, 1),
    price,
    percent: fc.option(decimalOf(100, 2)),
    tax: decimalOf(100, 2),
    billing_cycle: fc.constantFrom(...BILLING_CYCLES),
  })
  type Line = Parameters<Parameters<typeof line.map>[0]>[0]
  const toPriced = ({ quantity, price, percent, tax, billing_cycle }: Line): PricedLine => ({
    ...{ quantity: quantity.value, unit_price_cts: Number(price.minor), tax_rate: tax.value, billing_cycle },
    discount: percent && { percent: percent.value },
  })

  test('the total and its tax are the exact fractions, each rounded once to minor units', () => {
    fc.assert(
      fc.property(line, (each) => {
        const { quantity, price, percent, tax } = each
        const net = computeNet(toPriced(each))
        // In units of the currency: price.minor / price.scale, and the result times price.scale.
        const numerator = quantity.scaled * price.minor * (10_000n - (percent?.scaled ?? 0n)) * price.scale
        expect(isRounded(net, numerator, 1000n * 10_000n * price.scale)).toBe(true)
        expect(isRounded(computeTax(toPriced(each)), net * tax.scaled, 10_000n)).toBe(true)
      }),
    )
  })

  test('a discount of an amount leaves the rest, and never less than nothing', () => {
    fc.assert(
      fc.property(
        decimalOf(1e6, 3, 1),
        price,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (quantity, each, part) => {
          const gross = (quantity.scaled * each.minor) / 1000n
          fc.pre(gross <= BigInt(MAX_AMOUNT))
          const amount = Math.floor(Number(gross) * part)
          const priced = { ...LINE, quantity: quantity.value, unit_price_cts: Number(each.minor) }
          const discounted = { ...priced, discount: { amount_cts: amount } }
          expect(isDiscountTooHigh(discounted)).toBe(false)
          expect(computeNet(discounted)).toBe(computeNet(priced) - BigInt(amount))
        },
      ),
    )
  })

  test('the order of the lines changes no total, and lines add up', () => {
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const priced = lines.map(toPriced)
        expect(computeTotals(priced.toReversed())).toEqual(computeTotals(priced))
        const sums = priced.map((each) => computeFirstYear([each]))
        expect(computeFirstYear(priced)).toBe(sums.reduce((sum, each) => sum + each, 0n))
      }),
    )
  })
})
