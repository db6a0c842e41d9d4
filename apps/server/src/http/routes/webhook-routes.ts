import type { Crm } from '@sales-crm/core'
import * as operations from '../../openapi/webhook-operations.ts'
import { rejectQueryParameters, withQuery } from '../query-string.ts'
import { respondJson, respondList } from '../response.ts'
import { recordRoutes } from './record-routes.ts'
import { rejectInput } from './reject-input.ts'
import { type ApiRoute, pathParam } from './route.ts'

const MANAGE = { scope: 'webhooks:manage' }
const READ = { ...MANAGE, alternativeScope: 'webhooks:read' }

/** An app's webhooks and their deliveries. */
export function webhookRoutes({ webhooks }: Pick<Crm, 'webhooks'>): readonly ApiRoute[] {
  const path = '/v1/webhooks'
  return [
    ...recordRoutes({
      ...{ path, document: operations.WEBHOOKS, schemas: webhooks.input, read: READ, write: MANAGE },
      records: webhooks,
    }),
    {
      ...{ method: 'GET', path: `${path}/:id/deliveries`, access: READ, turn: 'long' },
      operation: operations.LIST_DELIVERIES,
      handle: async (c) =>
        respondList(
          c,
          await withQuery(c.req.url, (query) =>
            webhooks.deliveries(c.get('actor'), pathParam(c), query as object),
          ),
        ),
    },
    {
      ...{ method: 'GET', path: `${path}/:id/deliveries/:delivery_id`, access: READ, turn: 'short' },
      operation: operations.GET_DELIVERY,
      async handle(c) {
        rejectQueryParameters(c.req.url)
        const data = await webhooks.delivery(c.get('actor'), pathParam(c), pathParam(c, 'delivery_id'))
        return respondJson(c, { data })
      },
    },
    {
      ...{ method: 'POST', path: `${path}/:id/deliveries/:delivery_id/redeliver`, access: MANAGE },
      ...{ turn: 'short', operation: operations.REDELIVER },
      async handle(c) {
        await rejectInput(c)
        const data = await webhooks.redeliver(c.get('actor'), pathParam(c), pathParam(c, 'delivery_id'))
        return respondJson(c, { data })
      },
    },
    {
      ...{ method: 'POST', path: `${path}/:id/take-over`, access: MANAGE, turn: 'short' },
      operation: operations.TAKE_WEBHOOK_OVER,
      async handle(c) {
        await rejectInput(c)
        return respondJson(c, { data: await webhooks.takeOver(c.get('actor'), pathParam(c)) })
      },
    },
    {
      ...{ method: 'POST', path: `${path}/:id/test`, access: MANAGE, turn: 'short' },
      operation: operations.TEST_WEBHOOK,
      async handle(c) {
        await rejectInput(c)
        return respondJson(c, { data: await webhooks.test(c.get('actor'), pathParam(c)) }, 201)
      },
    },
  ]
}
