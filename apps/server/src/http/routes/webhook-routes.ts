import { type Crm, validate } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import {
  EMPTY_OBJECT,
  GET_DELIVERY,
  LIST_DELIVERIES,
  REDELIVER,
  TEST_WEBHOOK,
  WEBHOOKS,
} from '../../openapi/webhook-operations.ts'
import { readOptionalJson } from '../json-body.ts'
import { rejectQueryParameters, withQuery } from '../query-string.ts'
import { createdResponse, okResponse } from '../response.ts'
import { idParam, recordRoutes } from './record-routes.ts'
import type { Route } from './route.ts'

const PATH = '/v1/webhooks'
const MANAGE_SCOPE = 'webhooks:manage'
const READ_SCOPE = 'webhooks:read'

/** An app's webhooks and their deliveries. */
export function webhookRoutes({ webhooks }: Pick<Crm, 'webhooks'>): readonly Route[] {
  const definition = { ...webhooks.input, scopes: { read: MANAGE_SCOPE, write: MANAGE_SCOPE } }
  const routes: readonly Route[] = [
    ...recordRoutes(PATH, WEBHOOKS, definition, webhooks),
    {
      method: 'GET',
      path: `${PATH}/:id/deliveries`,
      scope: MANAGE_SCOPE,
      operation: LIST_DELIVERIES,
      isQueued: true,
      handler: async (actor, request) =>
        okResponse(
          await withQuery(request.url, (query) =>
            webhooks.deliveries(actor, idParam(request), query as object),
          ),
        ),
    },
    {
      method: 'GET',
      path: `${PATH}/:id/deliveries/:delivery_id`,
      scope: MANAGE_SCOPE,
      operation: GET_DELIVERY,
      async handler(actor, request) {
        rejectQueryParameters(request.url)
        return okResponse({
          data: await webhooks.delivery(actor, idParam(request), idParam(request, 'delivery_id')),
        })
      },
    },
    {
      method: 'POST',
      path: `${PATH}/:id/deliveries/:delivery_id/redeliver`,
      scope: MANAGE_SCOPE,
      operation: REDELIVER,
      async handler(actor, request) {
        await rejectInput(request)
        return okResponse({
          data: await webhooks.redeliver(actor, idParam(request), idParam(request, 'delivery_id')),
        })
      },
    },
    {
      method: 'POST',
      path: `${PATH}/:id/test`,
      scope: MANAGE_SCOPE,
      operation: TEST_WEBHOOK,
      async handler(actor, request) {
        await rejectInput(request)
        return createdResponse({ data: await webhooks.test(actor, idParam(request)) })
      },
    },
  ]
  return routes.map((route) => (route.method === 'GET' ? { ...route, alternativeScope: READ_SCOPE } : route))
}

/**
 * For operations without input: the body is empty or an empty object.
 * @throws CrmError `bad_request`, `validation_error`
 */
async function rejectInput({ raw, url }: HonoRequest): Promise<void> {
  const input = await readOptionalJson(raw)
  const check = () => validate(EMPTY_OBJECT, input)
  rejectQueryParameters(url, check)
  check()
}
