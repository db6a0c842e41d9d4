import { type Crm, validate, validatePatch } from '@sales-crm/core'
import { dealItems, lineItemsInput, RESOURCES } from '@sales-crm/core/declarations'
import * as operations from '../../openapi/line-item-operations.ts'
import { readJson } from '../json-body.ts'
import { rejectQueryParameters } from '../query-string.ts'
import { respondJson } from '../response.ts'
import { type ApiRoute, pathParam, type RouteContext } from './route.ts'

const { scopes } = RESOURCES.deals
const [read, write] = [{ scope: scopes.read }, { scope: scopes.write }]
const path = '/v1/deals/:id/items'
const itemPath = `${path}/:item_id`

/** The line items of deals. */
export function lineItemRoutes({ deals: { items } }: Pick<Crm, 'deals'>): readonly ApiRoute[] {
  return [
    {
      ...{ method: 'GET', path, access: read, turn: 'short', operation: operations.LIST_LINE_ITEMS },
      async handle(c) {
        rejectQueryParameters(c.req.url)
        return respondJson(c, await items.list(c.get('actor'), pathParam(c)))
      },
    },
    {
      ...{ method: 'POST', path, access: write, write: 'create', turn: 'short' },
      operation: operations.CREATE_LINE_ITEM,
      async handle(c) {
        const input = (await readJson(c.get('body'))) as never
        rejectQueryParameters(c.req.url, () => validate(dealItems.create, input))
        const [actor, dealId, key] = [c.get('actor'), pathParam(c), readKey(c)]
        if (key === undefined) return respondJson(c, await items.create(actor, dealId, input), 201)
        return respondOnce(c, await items.createIdempotent(actor, key, dealId, input), 201)
      },
    },
    {
      ...{ method: 'PUT', path, access: write, write: 'create', turn: 'long' },
      operation: operations.REPLACE_LINE_ITEMS,
      async handle(c) {
        const input = (await readJson(c.get('body'))) as never
        rejectQueryParameters(c.req.url, () => validate(lineItemsInput, input))
        return respondJson(c, await items.replace(c.get('actor'), pathParam(c), input))
      },
    },
    {
      ...{ method: 'PATCH', path: itemPath, access: write, write: 'update', turn: 'short' },
      operation: operations.UPDATE_LINE_ITEM,
      async handle(c) {
        const input = (await readJson(c.get('body'))) as never
        rejectQueryParameters(c.req.url, () => validatePatch(dealItems.update, input))
        const [actor, dealId, id] = [c.get('actor'), pathParam(c), pathParam(c, 'item_id')]
        const key = readKey(c)
        if (key === undefined) return respondJson(c, await items.update(actor, dealId, id, input))
        return respondOnce(c, await items.updateIdempotent(actor, key, dealId, id, input), 200)
      },
    },
    {
      ...{ method: 'DELETE', path: itemPath, access: write, turn: 'short' },
      operation: operations.DELETE_LINE_ITEM,
      async handle(c) {
        rejectQueryParameters(c.req.url)
        return respondJson(c, await items.remove(c.get('actor'), pathParam(c), pathParam(c, 'item_id')))
      },
    },
  ]
}

function readKey(c: RouteContext): string | undefined {
  return c.req.header('Idempotency-Key')
}

function respondOnce(
  c: RouteContext,
  { response, isReplay }: { readonly response: object; readonly isReplay: boolean },
  status: number,
): Response {
  return respondJson(c, response, status, isReplay ? { 'Idempotent-Replayed': 'true' } : {})
}
