import { type BulkChangeView, type Crm, validate } from '@sales-crm/core'
import { bulkInput, FILTERED_KINDS, type FilteredKind, RESOURCES } from '@sales-crm/core/declarations'
import * as operations from '../../openapi/bulk-operations.ts'
import { readJson } from '../json-body.ts'
import { rejectQueryParameters, withQuery } from '../query-string.ts'
import { respondJson, respondList } from '../response.ts'
import { pathOfKind } from './record-routes.ts'
import { rejectInput } from './reject-input.ts'
import { type ApiRoute, pathParam, type RouteContext } from './route.ts'

/** Of the kind of the change, which the use-case checks. */
const access = { scope: null, otherScopes: FILTERED_KINDS.map((kind) => RESOURCES[kind].scopes.write) }

/** Changes of all records that match, in the background. */
export function bulkRoutes({ bulkChanges }: Pick<Crm, 'bulkChanges'>): readonly ApiRoute[] {
  const path = '/v1/bulk-changes'
  const step = (name: 'stop' | 'revert', run: (c: RouteContext) => Promise<BulkChangeView>): ApiRoute => ({
    ...{ method: 'POST', path: `${path}/:id/${name}`, access, turn: 'short' },
    operation: operations.BULK_STEPS[name],
    async handle(c) {
      await rejectInput(c)
      return respondJson(c, { data: await run(c) })
    },
  })
  return [
    ...FILTERED_KINDS.map((kind) => startRoute(kind, bulkChanges)),
    {
      ...{ method: 'GET', path, access, turn: 'short', operation: operations.LIST_BULK_CHANGES },
      handle: async (c) =>
        respondList(
          c,
          await withQuery(c.req.url, (query) => bulkChanges.list(c.get('actor'), query as object)),
        ),
    },
    {
      ...{ method: 'GET', path: `${path}/:id`, access, turn: 'short' },
      operation: operations.GET_BULK_CHANGE,
      async handle(c) {
        rejectQueryParameters(c.req.url)
        return respondJson(c, { data: await bulkChanges.get(c.get('actor'), pathParam(c)) })
      },
    },
    {
      ...{ method: 'GET', path: `${path}/:id/failures`, access, turn: 'short' },
      operation: operations.LIST_BULK_FAILURES,
      handle: async (c) =>
        respondList(
          c,
          await withQuery(c.req.url, (query) =>
            bulkChanges.failures(c.get('actor'), pathParam(c), query as object),
          ),
        ),
    },
    step('stop', (c) => bulkChanges.stop(c.get('actor'), pathParam(c))),
    step('revert', (c) => bulkChanges.revert(c.get('actor'), pathParam(c))),
  ]
}

function startRoute(kind: FilteredKind, bulkChanges: Crm['bulkChanges']): ApiRoute {
  const schema = bulkInput(kind)
  return {
    ...{ method: 'POST', path: `${pathOfKind(kind)}/bulk`, write: 'update', turn: 'long' },
    access: { scope: RESOURCES[kind].scopes.write },
    operation: operations.startBulkChange(kind),
    async handle(c) {
      const input = await readJson(c.get('body'))
      rejectQueryParameters(c.req.url, () => validate(schema, input))
      return respondJson(c, { data: await bulkChanges.start(c.get('actor'), kind, input) }, 201)
    },
  }
}
