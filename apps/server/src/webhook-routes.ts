import { type Crm, validate } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import { created, ok } from './answer.ts'
import { readJsonOrNothing } from './body.ts'
import { GET_DELIVERY, LIST_DELIVERIES, NOTHING, REDELIVER, TEST_WEBHOOK, WEBHOOKS } from './openapi/webhook-operations.ts'
import { readQuery, refuseParameters, withQuery } from './query.ts'
import { idIn, recordRoutes } from './record-routes.ts'
import type { Route } from './routes.ts'

const PATH = '/v1/webhooks'
const MANAGE = 'webhooks:manage'
const READ = 'webhooks:read'

/** An app's webhooks, and what was sent through them. */
export function webhookRoutes({ webhooks }: Pick<Crm, 'webhooks'>): readonly Route[] {
  const family = { ...webhooks.input, scopes: { read: MANAGE, write: MANAGE } }
  const routes: readonly Route[] = [
    ...recordRoutes(PATH, WEBHOOKS, family, webhooks),
    {
      method: 'GET',
      path: `${PATH}/:id/deliveries`,
      scope: MANAGE,
      about: LIST_DELIVERIES,
      handler: async (actor, request) =>
        ok(await withQuery(readQuery(request.url), (query) => webhooks.deliveries(actor, idIn(request), query as object))),
    },
    {
      method: 'GET',
      path: `${PATH}/:id/deliveries/:delivery_id`,
      scope: MANAGE,
      about: GET_DELIVERY,
      async handler(actor, request) {
        refuseParameters(request.url)
        return ok({ data: await webhooks.delivery(actor, idIn(request), idIn(request, 'delivery_id')) })
      },
    },
    {
      method: 'POST',
      path: `${PATH}/:id/deliveries/:delivery_id/redeliver`,
      scope: MANAGE,
      about: REDELIVER,
      async handler(actor, request) {
        await refuseInput(request)
        return ok({ data: await webhooks.redeliver(actor, idIn(request), idIn(request, 'delivery_id')) })
      },
    },
    {
      method: 'POST',
      path: `${PATH}/:id/test`,
      scope: MANAGE,
      about: TEST_WEBHOOK,
      async handler(actor, request) {
        await refuseInput(request)
        return created({ data: await webhooks.test(actor, idIn(request)) })
      },
    },
  ]
  return routes.map((route) => (route.method === 'GET' ? { ...route, orScope: READ } : route))
}

/** For operations that take nothing: an empty body or an empty object. @throws CrmError `bad_request`, `validation_error` */
async function refuseInput({ raw, url }: HonoRequest): Promise<void> {
  const input = await readJsonOrNothing(raw)
  const check = () => validate(NOTHING, input)
  refuseParameters(url, check)
  check()
}
