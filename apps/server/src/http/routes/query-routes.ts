import { type Crm, validate } from '@sales-crm/core'
import { FILTERED_KINDS, type FilteredKind, listInput, RESOURCES } from '@sales-crm/core/declarations'
import { kindDocument } from '../../openapi/kind-document.ts'
import { queryOperation } from '../../openapi/query-operation.ts'
import { readJson } from '../json-body.ts'
import { rejectQueryParameters } from '../query-string.ts'
import { respondList } from '../response.ts'
import { pathOfKind } from './record-routes.ts'
import type { ApiRoute } from './route.ts'

/** The lists of records for a query that is sent as a body. */
export function queryRoutes(crm: Crm): readonly ApiRoute[] {
  return FILTERED_KINDS.map((kind) => queryRoute(kind, crm))
}

function queryRoute(kind: FilteredKind, crm: Crm): ApiRoute {
  const schema = listInput(kind)
  return {
    ...{ method: 'POST', path: `${pathOfKind(kind)}/query`, turn: 'long' },
    access: { scope: RESOURCES[kind].scopes.read },
    operation: queryOperation(kindDocument(kind), schema),
    async handle(c) {
      const input = await readJson(c.get('body'))
      rejectQueryParameters(c.req.url, () => validate(schema, input))
      validate(schema, input)
      return respondList(c, await crm.records[kind].list(c.get('actor'), input as never))
    },
  }
}
