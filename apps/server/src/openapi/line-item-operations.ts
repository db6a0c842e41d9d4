import { forbidden, idempotencyConflict, notFound, validationError } from '@sales-crm/core'
import {
  dealItems,
  lineItemListResponse,
  lineItemResponse,
  lineItemsInput,
} from '@sales-crm/core/declarations'
import { BODY_ERRORS, NO_FIELDS } from './body-errors.ts'
import type { Operation } from './operation.ts'

const tag = 'Deals'
const ITEM = { name: 'LineItemResponse', schema: lineItemResponse }
const LIST = { name: 'LineItemListResponse', schema: lineItemListResponse }
const [NO_DEAL, NO_ITEM, FORBIDDEN] = [notFound('Deal'), notFound('Line item'), forbidden('update', 'deal')]
const params = {
  item_id: {
    description: 'Id of the line item.',
    ...{ isId: true, example: '01a1fc31-2c41-7e0a-9b7d-3f5a6c8e1d20' },
  },
}
const success = { status: 200, description: 'All items of the deal.', response: LIST } as const

export const LIST_LINE_ITEMS: Operation = {
  ...{ id: 'listLineItems', tag, summary: 'List the line items of a deal', success, errors: [NO_DEAL] },
  description: 'Returns all of them in their order, with totals by billing cycle and of the first year.',
}

export const CREATE_LINE_ITEM: Operation = {
  ...{ id: 'createLineItem', tag, summary: 'Add a line item to a deal' },
  description:
    'At most 500 per deal. A `product_id` fills in what is left out. If the `amount_source` of the deal is `items`, its `amount` ' +
    'changes in the same transaction. Sends one `deal.updated` event. An `Idempotency-Key` makes it safe to retry.',
  body: { name: 'NewLineItem', schema: dealItems.create },
  takesIdempotencyKey: true,
  success: { status: 201, description: 'The new item, with the totals of the deal.', response: ITEM },
  errors: [...BODY_ERRORS, validationError({ name: 'Required.' }), NO_DEAL, idempotencyConflict(), FORBIDDEN],
}

export const REPLACE_LINE_ITEMS: Operation = {
  ...{ id: 'replaceLineItems', tag, summary: 'Replace the line items of a deal', success },
  description:
    'Replaces all items by those that are sent, in their order. One with the `id` of an item of the deal keeps what is left out; ' +
    'the others are new, and items that are not sent are deleted. Sends one `deal.updated` event, unless nothing changes.',
  body: { name: 'LineItems', schema: lineItemsInput },
  errors: [...BODY_ERRORS, validationError({ 'items[0].id': 'Line item not found.' }), NO_DEAL, FORBIDDEN],
}

export const UPDATE_LINE_ITEM: Operation = {
  ...{ id: 'updateLineItem', tag, summary: 'Update a line item', params },
  description:
    'Changes only the fields in the body; `null` clears a field. Another `product_id` changes nothing else. Sends one ' +
    '`deal.updated` event, unless nothing changes.',
  body: { name: 'LineItemChanges', schema: dealItems.update, changes: true },
  takesIdempotencyKey: true,
  success: { status: 200, description: 'The item, with the totals of the deal.', response: ITEM },
  errors: [
    ...BODY_ERRORS,
    NO_FIELDS,
    validationError({ 'discount.amount_cts': 'Must not be more than quantity × price.' }),
    NO_ITEM,
    idempotencyConflict(),
    FORBIDDEN,
  ],
}

export const DELETE_LINE_ITEM: Operation = {
  ...{ id: 'deleteLineItem', tag, summary: 'Delete a line item', params },
  description: 'Those behind it move up. Sends one `deal.updated` event.',
  success: { status: 200, description: 'The items that are left.', response: LIST },
  errors: [NO_ITEM, FORBIDDEN],
}
