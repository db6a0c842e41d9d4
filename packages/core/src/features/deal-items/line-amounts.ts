import { BILLING_CYCLES, type BillingCycle } from '../../schema/billing-cycle.ts'
import type { LineItem } from '../../schema/deal-item.ts'
import { PERCENT_PLACES, QUANTITY_PLACES } from '../../schema/line-item-limits.ts'
import type { LineTotals, Total } from '../../schema/line-totals.ts'

/** What the amounts of a line depend on. */
export type PricedLine = Pick<
  LineItem,
  'quantity' | 'unit_price_cts' | 'discount' | 'tax_rate' | 'billing_cycle'
>

/** How often a line is due in its first year. */
const DUE_IN_FIRST_YEAR: Readonly<Record<BillingCycle, bigint>> = {
  one_time: 1n,
  monthly: 12n,
  quarterly: 4n,
  annually: 1n,
}

const QUANTITY_SCALE = 10n ** BigInt(QUANTITY_PLACES)
const PERCENT_SCALE = 10n ** BigInt(PERCENT_PLACES)
/** 100 %, as `scale` returns it. */
const WHOLE = 100n * PERCENT_SCALE

/** Returns the line without tax in minor units: quantity × price − discount, rounded once. */
export function computeNet({ quantity, unit_price_cts, discount }: PricedLine): bigint {
  const gross = scale(quantity, QUANTITY_PLACES) * BigInt(unit_price_cts)
  if (discount === null) return divide(gross, QUANTITY_SCALE)
  if ('amount_cts' in discount)
    return divide(gross - BigInt(discount.amount_cts) * QUANTITY_SCALE, QUANTITY_SCALE)
  return divide(gross * (WHOLE - scale(discount.percent, PERCENT_PLACES)), QUANTITY_SCALE * WHOLE)
}

/** Returns the tax on the rounded line in minor units, rounded in the same way. */
export function computeTax(line: PricedLine): bigint {
  return divide(computeNet(line) * scale(line.tax_rate ?? 0, PERCENT_PLACES), WHOLE)
}

/** True if a discount is more than quantity × price, which is compared exactly. */
export function isDiscountTooHigh({ quantity, unit_price_cts, discount }: PricedLine): boolean {
  if (discount === null || !('amount_cts' in discount)) return false
  const gross = scale(quantity, QUANTITY_PLACES) * BigInt(unit_price_cts)
  return BigInt(discount.amount_cts) * QUANTITY_SCALE > gross
}

/** Returns what the lines bring in the first year without tax, in minor units. */
export function computeFirstYear(lines: readonly PricedLine[]): bigint {
  return sum(lines.map((line) => computeNet(line) * DUE_IN_FIRST_YEAR[line.billing_cycle]))
}

/** Adds the rounded lines. They bring at most `MAX_AMOUNT` in the first year, so that all sums are safe integers. */
export function computeTotals(lines: readonly PricedLine[]): LineTotals {
  const amounts = lines.map((line) => ({
    cycle: line.billing_cycle,
    net: computeNet(line),
    tax: computeTax(line),
  }))
  const toTotal = (cycle: BillingCycle): [BillingCycle, Total] => {
    const due = amounts.filter((each) => each.cycle === cycle)
    return [cycle, buildTotal(sum(due.map(({ net }) => net)), sum(due.map(({ tax }) => tax)))]
  }
  const inFirstYear = (name: 'net' | 'tax') =>
    sum(amounts.map((each) => each[name] * DUE_IN_FIRST_YEAR[each.cycle]))
  return {
    ...(Object.fromEntries(BILLING_CYCLES.map(toTotal)) as Record<BillingCycle, Total>),
    first_year: buildTotal(inFirstYear('net'), inFirstYear('tax')),
  }
}

function buildTotal(net: bigint, tax: bigint): Total {
  return { net_cts: Number(net), tax_cts: Number(tax), gross_cts: Number(net + tax) }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, each) => total + each, 0n)
}

/** The decimal as an integer of its last place: 2.5 with three places is 2500. `toFixed` is exact. */
function scale(value: number, places: number): bigint {
  return BigInt(value.toFixed(places).replace('.', ''))
}

/** Divides and rounds half away from zero. @param divisor more than 0 */
function divide(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor
  return (2n * dividend + half) / (2n * divisor)
}
