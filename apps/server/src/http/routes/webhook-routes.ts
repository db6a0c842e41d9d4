import type { Crm } from '@sales-crm/core'
import type { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { rejectQueryParameters, withQuery } from '../query-string.ts'
import { respondJson, respondList } from '../response.ts'
import type { Guards } from './guards.ts'
import { idParam, recordRoutes } from './record-routes.ts'
import { rejectInput } from './reject-input.ts'

export const MANAGE_WEBHOOKS = 'webhooks:manage'
export const READ_WEBHOOKS = 'webhooks:read'

/** An app's webhooks and their deliveries. */
export function webhookRoutes({ webhooks }: Pick<Crm, 'webhooks'>, guards: Guards): Hono<AppEnv> {
  const { authorize, takeTurn } = guards
  const definition = { ...webhooks.input, scopes: { read: MANAGE_WEBHOOKS, write: MANAGE_WEBHOOKS } }
  const mayRead = authorize({ scope: MANAGE_WEBHOOKS, alternativeScope: READ_WEBHOOKS })
  const mayManage = authorize({ scope: MANAGE_WEBHOOKS })

  return recordRoutes(definition, webhooks, guards, { alternativeReadScope: READ_WEBHOOKS })
    .get('/:id/deliveries', mayRead, takeTurn('long'), async (c) =>
      respondList(
        c,
        await withQuery(c.req.url, (query) =>
          webhooks.deliveries(c.get('actor'), idParam(c), query as object),
        ),
      ),
    )
    .get('/:id/deliveries/:delivery_id', mayRead, takeTurn('short'), async (c) => {
      rejectQueryParameters(c.req.url)
      return respondJson(c, {
        data: await webhooks.delivery(c.get('actor'), idParam(c), idParam(c, 'delivery_id')),
      })
    })
    .post('/:id/deliveries/:delivery_id/redeliver', mayManage, takeTurn('short'), async (c) => {
      await rejectInput(c)
      return respondJson(c, {
        data: await webhooks.redeliver(c.get('actor'), idParam(c), idParam(c, 'delivery_id')),
      })
    })
    .post('/:id/take-over', mayManage, takeTurn('short'), async (c) => {
      await rejectInput(c)
      return respondJson(c, { data: await webhooks.takeOver(c.get('actor'), idParam(c)) })
    })
    .post('/:id/test', mayManage, takeTurn('short'), async (c) => {
      await rejectInput(c)
      return respondJson(c, { data: await webhooks.test(c.get('actor'), idParam(c)) }, 201)
    })
}
