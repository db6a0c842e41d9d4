import type { Currency, LineItem, LineItems, ProductListItem } from '@sales-crm/client'
import type { ItemValues } from './item-columns.ts'
import { withAmounts } from './patch-items.ts'

/** What an item begins with, whether it is added alone or with others. */
type ItemInput = Omit<LineItems['items'][number], 'id'>

/** An item to add: as it is shown at once, and what the service gets. */
export interface NewItem {
  readonly shown: LineItem
  readonly input: ItemInput
}

/** An item of a product, which fills in its values. Its price counts in its own currency alone. */
export function itemOfProduct(
  key: string,
  product: ProductListItem,
  quantity: number,
  currency: Currency,
): NewItem {
  const { id, name, code, billing_cycle, price_cts } = product
  const isPriced = product.currency === currency
  const unit_price_cts = isPriced ? price_cts : 0
  const summary = { id, name, code, billing_cycle, price_cts, currency: product.currency }
  return {
    shown: { ...buildItem(key, { name, code, quantity, unit_price_cts, billing_cycle }), product: summary },
    input: { product_id: id, quantity, ...(!isPriced && { unit_price_cts }) },
  }
}

/** An item of free text, whose price is asked next. */
export function itemOfText(key: string, name: string, quantity: number): NewItem {
  return itemOfValues(key, { name, quantity, unit_price_cts: 0 })
}

export function itemOfValues(key: string, values: Partial<ItemValues> & { readonly name: string }): NewItem {
  return { shown: buildItem(key, values), input: values }
}

/** The same item once more. */
export function copyOfItem(key: string, item: LineItem): NewItem {
  const { name, code, description, quantity, unit_price_cts, discount, tax_rate, billing_cycle } = item
  const values = { name, code, description, quantity, unit_price_cts, discount, tax_rate, billing_cycle }
  return { shown: { ...item, id: key }, input: { ...values, product_id: item.product?.id ?? null } }
}

function buildItem(id: string, values: Partial<LineItem>): LineItem {
  const at = new Date().toISOString()
  return withAmounts({
    ...{ id, position: 0, product: null, name: '', code: null, description: null },
    ...{ quantity: 1, unit_price_cts: 0, discount: null, tax_rate: null, billing_cycle: 'one_time' },
    ...{ total_cts: 0, tax_cts: 0, created_at: at, updated_at: at },
    ...values,
  })
}
