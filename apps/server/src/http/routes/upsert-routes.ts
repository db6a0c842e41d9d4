import { type Crm, type UpsertApi, type UpsertKind, validate } from '@sales-crm/core'
import { RESOURCES, UPSERT_KINDS, upsertInput } from '@sales-crm/core/declarations'
import { kindDocument } from '../../openapi/kind-document.ts'
import { upsertOperation } from '../../openapi/upsert-operation.ts'
import { readJson } from '../json-body.ts'
import { rejectQueryParameters } from '../query-string.ts'
import { formatDetailedError, respondJson } from '../response.ts'
import { maxBodyBytesOf, pathOfKind } from './record-routes.ts'
import type { ApiRoute } from './route.ts'

export function upsertRoutes(crm: Crm): readonly ApiRoute[] {
  return UPSERT_KINDS.map((kind) => upsertRoute(kind, crm[kind] as UpsertApi<UpsertKind, object, object>))
}

function upsertRoute(kind: UpsertKind, records: UpsertApi<UpsertKind, object, object>): ApiRoute {
  const schema = upsertInput(kind)
  const maxBodyBytes = maxBodyBytesOf(kind)
  return {
    ...{ method: 'POST', path: `${pathOfKind(kind)}/upsert`, turn: 'short', write: 'create', maxBodyBytes },
    access: { scope: RESOURCES[kind].scopes.write },
    operation: upsertOperation(kind, kindDocument(kind)),
    formatError: formatDetailedError,
    async handle(c) {
      const input = await readJson(c.get('body'), maxBodyBytes)
      rejectQueryParameters(c.req.url, () => validate(schema, input))
      const { data, isNew } = await records.upsert(c.get('actor'), input as never)
      return respondJson(c, { data }, isNew ? 201 : 200)
    },
  }
}
