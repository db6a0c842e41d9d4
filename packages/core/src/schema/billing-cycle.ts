export const BILLING_CYCLES = ['one_time', 'monthly', 'quarterly', 'annually'] as const

/** How often a price is due. */
export type BillingCycle = (typeof BILLING_CYCLES)[number]
