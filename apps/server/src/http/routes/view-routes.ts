import type { Crm } from '@sales-crm/core'
import { RESOURCES } from '@sales-crm/core/declarations'
import { VIEW_COUNTS } from '../../openapi/view-operations.ts'
import { rejectQueryParameters } from '../query-string.ts'
import { respondJson } from '../response.ts'
import type { ApiRoute } from './route.ts'

/** Saved views, beside the routes of their kind. */
export function viewRoutes(crm: Crm): readonly ApiRoute[] {
  return [
    {
      ...{ method: 'GET', path: '/v1/views/counts', turn: 'long', operation: VIEW_COUNTS },
      access: { scope: RESOURCES.views.scopes.read },
      async handle(c) {
        rejectQueryParameters(c.req.url)
        return respondJson(c, { data: await crm.views.counts(c.get('actor')) })
      },
    },
  ]
}
