import type { ProductListItem } from '@sales-crm/client'
import type { KindFields, TextField } from './field.ts'
import { choiceField, moneyField, requiredTextField, textField, timeField } from './field-builders.ts'

const name = requiredTextField('name', { label: ({ labels }) => labels.name, order: 'asc' })
const code = textField('code', { label: ({ labels }) => labels.code, order: 'asc' })
const description = textField('description', { label: ({ labels }) => labels.description })
const created = timeField('created_at', { label: ({ labels }) => labels.created, order: 'desc' })

/** A price may be nothing. */
const price: TextField<ProductListItem> = {
  ...moneyField('price_cts', { label: ({ labels }) => labels.price, order: 'desc' }),
  display: ({ price_cts, currency }, { formatAmount }) => formatAmount({ amount: price_cts, currency }),
}

const billingCycle = choiceField(
  'billing_cycle',
  ({ labels }) => labels.billing,
  ({ products }) => Object.entries(products.billing),
)

const isActive = choiceField(
  'is_active',
  ({ labels }) => labels.status,
  ({ products }) => [
    [true, products.active],
    [false, products.inactive],
  ],
)

export const PRODUCT_FIELDS: KindFields<ProductListItem> = {
  columns: [name, code, price, billingCycle, isActive, description],
  moreColumns: [created],
  facts: [],
  form: [name, code, price],
}
