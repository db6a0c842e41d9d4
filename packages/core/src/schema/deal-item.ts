import * as v from 'valibot'
import { decimal, integer, uuid } from '../kernel/field-schemas.ts'
import { listOf, object } from '../kernel/object-schemas.ts'
import { countResponse, responseSchema } from '../kernel/response-schemas.ts'
import { multiLineTextOrNull, singleLineText } from '../kernel/text-schemas.ts'
import { BILLING_CYCLES } from './billing-cycle.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import { MAX_AMOUNT } from './currency.ts'
import type { RecordOf } from './field-types.ts'
import { system, value } from './fields.ts'
import { definePart } from './kind.ts'
import { MAX_LINE_ITEMS, PERCENT_PLACES, QUANTITY_PLACES, QUANTITY_RANGE } from './line-item-limits.ts'
import { productCode } from './product.ts'
import { byId, reference } from './reference-fields.ts'
import { choiceOf, integerOf, jsonOf, textOf, uuidType } from './value-types.ts'
import { loaded } from './view-fields.ts'

/** A part of the line in percent, or an amount of the whole line in minor units. */
export type Discount = { readonly percent: number } | { readonly amount_cts: number }

const discountInput = v.pipe(
  object({
    percent: v.optional(decimal(0, 100, PERCENT_PLACES)),
    amount_cts: v.optional(integer(0, MAX_AMOUNT)),
  }),
  v.check(
    ({ percent, amount_cts }) => percent !== undefined || amount_cts !== undefined,
    'One of percent and amount_cts is required.',
  ),
  v.check(
    ({ percent, amount_cts }) => percent === undefined || amount_cts === undefined,
    'Must have only one of percent and amount_cts.',
  ),
  v.transform(
    ({ percent, amount_cts }): Discount =>
      percent === undefined ? { amount_cts: amount_cts! } : { percent },
  ),
)

export const discountResponse = v.union([
  responseSchema<{ readonly percent: number }>()({ percent: v.number() }),
  responseSchema<{ readonly amount_cts: number }>()({ amount_cts: countResponse }),
]) as v.GenericSchema<unknown, Discount>

const quantity = decimal(...QUANTITY_RANGE, QUANTITY_PLACES)
const taxRate = decimal(0, 100, PERCENT_PLACES)

export const dealItems = definePart({
  label: 'Line item',
  collection: 'deal_items',
  fields: {
    id: id('01a1fc31-2c41-7e0a-9b7d-3f5a6c8e1d20'),
    deal_id: system(uuidType, { level: 'hidden', initial: '', references: 'deals' }),
    /** From 0, without gaps among the items of the deal. */
    position: value(integerOf(integer(0, MAX_LINE_ITEMS - 1)), {
      ...{ need: 'optional', level: 'item' },
      description: 'Position among the items of the deal, from 0.',
      inputDescription: {
        create: 'Position among the items, from 0. Those behind it move back. Default: after the last.',
        update: 'Position among the items, from 0. Those between move by one.',
      },
      example: 0,
    }),
    product: reference('products', {
      ...{ column: 'product_id', need: 'clearable', shows: 'summary', level: 'item' },
      inputs: { product_id: byId('Id of the product; none for free text.') },
      description:
        'The product as it is now; `null` for free text, and if the product was deleted. The item has values of its own.',
    }),
    name: value(textOf(singleLineText(1, 120)), {
      ...{ need: 'optional', level: 'item' },
      description: 'Name.',
      inputDescription: {
        create: 'Name. Default: that of the product; required without one.',
        update: 'Name.',
      },
      example: 'Licença anual',
    }),
    code: value(textOf(productCode), {
      ...{ need: 'clearable', level: 'item' },
      description: 'Code of what is sold.',
      inputDescription: { create: 'Code. Default: that of the product.', update: 'Code.' },
      example: 'LIC-12',
    }),
    description: value(textOf(multiLineTextOrNull(1000)), {
      ...{ need: 'clearable', level: 'item' },
      description: 'Multi-line text.',
      example: null,
    }),
    /** More than 0, with up to three decimal places. */
    quantity: value(jsonOf<number, typeof quantity>(quantity, v.number()), {
      ...{ need: 'optional', level: 'item' },
      description: 'Quantity, with up to three decimal places.',
      inputDescription: {
        create: 'Quantity, with up to three decimal places. Default: 1.',
        update: 'Quantity, with up to three decimal places.',
      },
      example: 2.5,
    }),
    /** An integer from 0 to 10^15. */
    unit_price_cts: value(integerOf(integer(0, MAX_AMOUNT)), {
      ...{ need: 'optional', level: 'item' },
      description: 'Price of one in minor units of the currency of the deal, such as cents.',
      inputDescription: {
        create:
          'Price of one in minor units of the currency of the deal. Default: that of the product, if it has this currency; ' +
          'else required.',
        update: 'Price of one in minor units of the currency of the deal.',
      },
      example: 135000,
    }),
    discount: value(jsonOf<Discount, typeof discountInput>(discountInput, discountResponse), {
      ...{ need: 'clearable', level: 'item' },
      description:
        '`percent` of the line, with up to two decimal places, or `amount_cts` of the whole line; `null` for none.',
      inputDescription:
        'One of `percent`, with up to two decimal places, and `amount_cts` of the whole line, which is at most the line.',
      example: { percent: 10 },
    }),
    /** In percent, with up to two decimal places. */
    tax_rate: value(jsonOf<number, typeof taxRate>(taxRate, v.number()), {
      ...{ need: 'clearable', level: 'item' },
      description:
        'Tax in percent, with up to two decimal places; `null` for none. No amount of the line has it.',
      example: 19,
    }),
    billing_cycle: value(choiceOf(BILLING_CYCLES), {
      ...{ need: 'optional', level: 'item' },
      description: 'How often the line is due.',
      inputDescription: {
        create: 'How often the line is due. Default: that of the product, else `one_time`.',
        update: 'How often the line is due.',
      },
      example: 'annually',
    }),
    total_cts: loaded({
      ...{ level: 'item', response: countResponse, example: 303750 },
      reads: ['quantity', 'unit_price_cts', 'discount'],
      description:
        'Quantity × price − discount in minor units, without tax, rounded once: half a unit is rounded up.',
    }),
    tax_cts: loaded({
      ...{ level: 'item', response: countResponse, example: 57713 },
      reads: ['quantity', 'unit_price_cts', 'discount', 'tax_rate'],
      description: 'Tax on `total_cts` in minor units, rounded in the same way.',
    }),
    created_at: createdAt('item'),
    updated_at: updatedAt('item'),
  },
})

/** A line item of a deal as it is stored. */
export interface LineItem extends RecordOf<typeof dealItems.fields> {}

const { position: _, ...contents } = dealItems.update.entries

/** An item among those that replace all: an existing one with its id and its changes, or a new one. */
const lineItemEdit = object({ id: v.optional(uuid), ...contents })

export const lineItemsInput = object({ items: listOf(lineItemEdit, 0, MAX_LINE_ITEMS, 'items') })

/** Input of `crm.deals.items.create`. */
export type LineItemInput = v.InferInput<typeof dealItems.create>

/** Input of `crm.deals.items.update`. */
export type LineItemChanges = v.InferInput<typeof dealItems.update>

/** Input of `crm.deals.items.replace`: at most 500 items in their order. Fields that an existing one leaves out stay. */
export type LineItemsInput = v.InferInput<typeof lineItemsInput>
