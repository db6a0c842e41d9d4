import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Currency } from './currency.ts'

export const BILLING_CYCLES = ['one_time', 'monthly', 'quarterly', 'annually'] as const

export type BillingCycle = (typeof BILLING_CYCLES)[number]

export interface Product extends RecordBase {
  readonly updated_at: Instant
  readonly name: string
  readonly currency: Currency
  /** Minor units of the currency. */
  readonly price_cts: number
  readonly description: string | null
  readonly code: string | null
  readonly is_active: boolean
  readonly billing_cycle: BillingCycle
  /** The key of its image file. */
  readonly image_key: string | null
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
