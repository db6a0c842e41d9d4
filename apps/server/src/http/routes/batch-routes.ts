import { type BatchApi, type BatchResult, type Crm, validate } from '@sales-crm/core'
import { batchInput, RESOURCES } from '@sales-crm/core/declarations'
import { batchOperation } from '../../openapi/batch-operation.ts'
import { kindDocument } from '../../openapi/kind-document.ts'
import { detailedErrorBody, STATUS } from '../errors.ts'
import { readJson } from '../json-body.ts'
import { rejectQueryParameters } from '../query-string.ts'
import { MAX_BODY_BYTES } from '../request-body.ts'
import { formatDetailedError, respondList } from '../response.ts'
import { pathOfKind } from './record-routes.ts'
import type { ApiRoute } from './route.ts'

/** The kinds of records that come in numbers. */
const BATCH_KINDS = [
  'people',
  'companies',
  'deals',
  'tasks',
  'activities',
  'products',
  'tags',
  'lists',
] as const
type BatchKind = (typeof BATCH_KINDS)[number]

const MAX_BATCH_BYTES = 4 * MAX_BODY_BYTES

export function batchRoutes(crm: Crm): readonly ApiRoute[] {
  return BATCH_KINDS.map((kind) => batchRoute(kind, crm[kind] as BatchApi<object>))
}

function batchRoute(kind: BatchKind, records: BatchApi<object>): ApiRoute {
  return {
    ...{ method: 'POST', path: `${pathOfKind(kind)}/batch`, turn: 'long', write: 'create' },
    maxBodyBytes: MAX_BATCH_BYTES,
    access: { scope: RESOURCES[kind].scopes.write },
    operation: batchOperation(kindDocument(kind)),
    formatError: formatDetailedError,
    async handle(c) {
      const input = await readJson(c.get('body'), MAX_BATCH_BYTES)
      rejectQueryParameters(c.req.url, () => validate(batchInput, input))
      const [actor, key] = [c.get('actor'), c.req.header('Idempotency-Key')]
      const { results, isReplay } =
        key === undefined
          ? { results: await records.batch(actor, input as never), isReplay: false }
          : await records.batchIdempotent(actor, key, input as never)
      const data = results.map((result) => toItem(result, c.get('requestId')))
      return respondList(c, { data }, isReplay ? { 'Idempotent-Replayed': 'true' } : {})
    },
  }
}

/** The status and the body of the same call alone. */
function toItem(result: BatchResult<object>, requestId: string): object {
  if ('error' in result)
    return { status: STATUS[result.error.code], body: detailedErrorBody(result.error, requestId) }
  if (result.done === 'deleted') return { status: 204, body: null }
  return { status: result.done === 'created' ? 201 : 200, body: { data: result.data } }
}
