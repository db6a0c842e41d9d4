import type * as Api from './api-types.ts'
import type { CallOptions, KeyedCallOptions } from './call-options.ts'
import { encodeId } from './check.ts'
import type { RecordCalls } from './record-calls.ts'

/** The line items of deals, in their order. Each result has the totals of the deal in `meta`. */
export interface LineItemCollection {
  /** Returns all items of a deal. */
  list(dealId: string, options?: CallOptions): Promise<Api.LineItemList>
  /** Adds an item. It has an idempotency key, so that a call whose response is lost adds one item. */
  create(dealId: string, input: Api.NewLineItem, options?: KeyedCallOptions): Promise<Api.LineItemResult>
  /** Sets the fields of `changes`. It has an idempotency key. */
  update(
    dealId: string,
    id: string,
    changes: Api.LineItemChanges,
    options?: KeyedCallOptions,
  ): Promise<Api.LineItemResult>
  /** Deletes an item, and returns the others. It is not repeated if its response is lost. */
  delete(dealId: string, id: string, options?: CallOptions): Promise<Api.LineItemList>
  /** Replaces all items. Those with an id of the deal stay, with the changes that are sent; the others are new. */
  replace(dealId: string, items: Api.LineItems['items'], options?: CallOptions): Promise<Api.LineItemList>
}

export function createLineItemCollection(calls: RecordCalls): LineItemCollection {
  const pathOf = (dealId: string) => `deals/${encodeId('dealId', dealId)}/items`
  const itemPath = (dealId: string, id: string) => `${pathOf(dealId)}/${encodeId('id', id)}`
  const keyOf = ({ idempotencyKey = crypto.randomUUID() }: KeyedCallOptions) => idempotencyKey
  return {
    list: async (dealId, options) => calls.sendForAll('GET', pathOf(dealId), undefined, options),
    create: async (dealId, input, options = {}) =>
      calls.sendForAll('POST', pathOf(dealId), input, options, keyOf(options)),
    update: async (dealId, id, changes, options = {}) =>
      calls.sendForAll('PATCH', itemPath(dealId, id), changes, options, keyOf(options)),
    delete: async (dealId, id, options) =>
      calls.sendForAll('DELETE', itemPath(dealId, id), undefined, options),
    replace: async (dealId, items, options) => calls.sendForAll('PUT', pathOf(dealId), { items }, options),
  }
}
