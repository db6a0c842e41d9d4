import { countResponse as count, responseSchema } from '../kernel/response-schemas.ts'
import type { BillingCycle } from './billing-cycle.ts'

/** Sums of rounded lines, in minor units. */
export interface Total {
  readonly net_cts: number
  readonly tax_cts: number
  /** `net_cts` and `tax_cts` together. */
  readonly gross_cts: number
}

/** The total of the lines of each billing cycle, each time they are due, and what they bring in the first year. */
export interface LineTotals extends Readonly<Record<BillingCycle, Total>> {
  readonly first_year: Total
}

const total = responseSchema<Total>()({ net_cts: count, tax_cts: count, gross_cts: count })

export const lineTotals = responseSchema<LineTotals>()({
  one_time: total,
  monthly: total,
  quarterly: total,
  annually: total,
  first_year: total,
})
