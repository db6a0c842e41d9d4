import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Currency } from './currency.ts'

export const BILLING_CYCLES = ['one_time', 'monthly', 'quarterly', 'annually'] as const

/** How often the price of a product is due. `one_time` is the default. */
export type BillingCycle = (typeof BILLING_CYCLES)[number]

/** A product as it is stored. The API returns `ProductView`. */
export interface Product extends RecordBase {
  readonly updated_at: Instant
  readonly name: string
  readonly currency: Currency
  /** Minor units of the currency, such as cents: an integer from 0 to 10^15. */
  readonly price_cts: number
  readonly description: string | null
  /** The seller's own code, such as an SKU: unique among the products of the workspace. */
  readonly code: string | null
  /** True if the product is for sale. */
  readonly is_active: boolean
  readonly billing_cycle: BillingCycle
  /** The key of its image file; null without an image. */
  readonly image_key: string | null
  /** The folded words of name and code. */
  readonly search_terms: string
}

export const productShape = {
  columns: {
    name: 'text',
    currency: 'text',
    price_cts: 'integer',
    description: 'text?',
    code: 'text?',
    is_active: 'boolean',
    billing_cycle: 'text',
    image_key: 'text?',
    search_terms: 'terms',
  },
  unique: ['code'],
  uniqueForever: [],
  foreignKeys: {},
} as const
