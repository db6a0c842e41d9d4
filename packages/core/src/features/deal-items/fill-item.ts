import type * as v from 'valibot'
import { type Currency, MAX_AMOUNT } from '../../schema/currency.ts'
import type { dealItems, LineItem, lineItemsInput } from '../../schema/deal-item.ts'
import type { Product } from '../../schema/product.ts'
import { computeFirstYear, computeNet, isDiscountTooHigh } from './line-amounts.ts'

/** The input of a new item. Null is the same as a field that is left out. */
export type NewItem = v.InferOutput<typeof dealItems.create>

/** An item among those that replace all. */
export type ItemEdit = v.InferOutput<typeof lineItemsInput>['items'][number]

/** The values of an item, without its place and its times. */
export type ItemValues = Omit<LineItem, 'id' | 'deal_id' | 'position' | 'created_at' | 'updated_at'>

/** Sets an error of a field of one item. */
export type SetError = (field: string, rule: string) => void

/**
 * Fills what the input of a new item leaves out from its product. Sets errors for what is required then.
 * @param product that of the input, if it names one
 */
export function fillItem(
  input: NewItem | ItemEdit,
  product: Product | undefined,
  currency: Currency,
  setError: SetError,
): ItemValues {
  const price = product?.currency === currency ? product.price_cts : undefined
  const name = input.name ?? product?.name
  const unit_price_cts = input.unit_price_cts ?? price
  if (name === undefined) setError('name', 'Required.')
  if (unit_price_cts === undefined)
    setError(
      'unit_price_cts',
      product ? `Required: the product has a price in ${product.currency}.` : 'Required.',
    )
  return {
    product_id: input.product_id ?? null,
    name: name ?? '',
    code: input.code ?? product?.code ?? null,
    description: input.description ?? null,
    quantity: input.quantity ?? 1,
    unit_price_cts: unit_price_cts ?? 0,
    discount: input.discount ?? null,
    tax_rate: input.tax_rate ?? null,
    billing_cycle: input.billing_cycle ?? product?.billing_cycle ?? 'one_time',
  }
}

/** Sets the error of a line whose amounts are out of bounds. */
export function checkLine(line: ItemValues, setError: SetError): void {
  if (isDiscountTooHigh(line)) setError('discount.amount_cts', 'Must not be more than quantity × price.')
  else if (computeNet(line) > MAX_AMOUNT)
    setError('unit_price_cts', `Quantity × price must come to at most ${MAX_AMOUNT}.`)
}

/** Returns the rule that all items of a deal break together, if they do. */
export function findSumError(items: readonly ItemValues[]): string | undefined {
  return computeFirstYear(items) > MAX_AMOUNT
    ? `The items of a deal must come to at most ${MAX_AMOUNT} in the first year.`
    : undefined
}
