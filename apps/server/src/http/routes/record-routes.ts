import { type AnyRecordApi, type Crm, validate, validatePatch } from '@sales-crm/core'
import { RESOURCES } from '@sales-crm/core/declarations'
import type { GenericSchema } from 'valibot'
import { kindDocument } from '../../openapi/kind-document.ts'
import { type RecordDocument, recordOperations } from '../../openapi/record-operations.ts'
import { readConditions, respondVersioned } from '../etag.ts'
import { readJson } from '../json-body.ts'
import type { RouteAccess } from '../middleware/authorize.ts'
import { rejectQueryParameters, withQuery } from '../query-string.ts'
import { MAX_BODY_BYTES } from '../request-body.ts'
import { respondJson, respondList } from '../response.ts'
import { type ApiRoute, pathParam, type RouteContext } from './route.ts'

export type RecordKind = keyof typeof RESOURCES

interface KindOptions {
  readonly maxBodyBytes?: number
  /** True if the cost of an update depends on the data. */
  readonly isUpdateLong?: boolean
}

const KIND_OPTIONS: { readonly [K in RecordKind]?: KindOptions } = {
  // Bodies with Base64 files: ten attachments, or one image.
  activities: { maxBodyBytes: 32 * MAX_BODY_BYTES },
  products: { maxBodyBytes: 4 * MAX_BODY_BYTES },
  // A removed option is looked up in every record.
  custom_fields: { isUpdateLong: true },
}

/** Undefined for the default. */
export function maxBodyBytesOf(kind: RecordKind): number | undefined {
  return KIND_OPTIONS[kind]?.maxBodyBytes
}

/** `/v1/task-types` */
export function pathOfKind(kind: RecordKind): string {
  return `/v1/${kind.replaceAll('_', '-')}`
}

/** The five routes of a kind of record. */
export function kindRoutes(kind: RecordKind, crm: Crm): readonly ApiRoute[] {
  const { create, update, scopes } = RESOURCES[kind]
  return recordRoutes({
    path: pathOfKind(kind),
    document: kindDocument(kind),
    records: crm.records[kind],
    schemas: { create, update },
    read: { scope: scopes.read },
    write: { scope: scopes.write },
    ...KIND_OPTIONS[kind],
  })
}

interface RecordRoutes extends KindOptions {
  readonly path: string
  readonly document: RecordDocument
  readonly records: Omit<AnyRecordApi, 'createIdempotent' | 'updateIdempotent'> & Partial<AnyRecordApi>
  readonly schemas: { readonly create: GenericSchema; readonly update: GenericSchema }
  readonly read: RouteAccess
  readonly write: RouteAccess
}

/** List, get, create, update and delete. */
export function recordRoutes(options: RecordRoutes): readonly ApiRoute[] {
  const { path, document, records, schemas, read, write, maxBodyBytes, isUpdateLong = false } = options
  const operations = recordOperations(document, schemas)
  return [
    {
      ...{ method: 'GET', path, access: read, turn: 'long', operation: operations.list },
      handle: async (c) =>
        respondList(c, await withQuery(c.req.url, (query) => records.list(c.get('actor'), query as never))),
    },
    {
      ...{ method: 'GET', path: `${path}/:id`, access: read, turn: 'short', operation: operations.get },
      async handle(c) {
        if (!document.detailQuery) rejectQueryParameters(c.req.url)
        const get = (query?: object) => records.getVersioned(c.get('actor'), pathParam(c), query)
        return respondVersioned(c, await (document.detailQuery ? withQuery(c.req.url, get) : get()))
      },
    },
    {
      ...{ method: 'POST', path, access: write, write: 'create', turn: 'short', maxBodyBytes },
      operation: operations.create,
      async handle(c) {
        const input = await readJson(c.get('body'), maxBodyBytes)
        rejectQueryParameters(c.req.url, () => validate(schemas.create, input))
        return createRecord(records, c, input)
      },
    },
    {
      ...{ method: 'PATCH', path: `${path}/:id`, access: write, write: 'update', maxBodyBytes },
      ...{ turn: isUpdateLong ? 'long' : 'short', operation: operations.update },
      async handle(c) {
        const input = await readJson(c.get('body'), maxBodyBytes)
        rejectQueryParameters(c.req.url, () => validatePatch(schemas.update, input))
        return updateRecord(records, c, input)
      },
    },
    {
      ...{ method: 'DELETE', path: `${path}/:id`, access: write, turn: 'short' },
      operation: operations.remove,
      async handle(c) {
        rejectQueryParameters(c.req.url)
        await records.remove(c.get('actor'), pathParam(c), readConditions(c))
        return c.body(null, 204)
      },
    },
  ]
}

/** With an `Idempotency-Key`, the first of equal requests creates a record, and the others get its response. */
async function createRecord(
  records: RecordRoutes['records'],
  c: RouteContext,
  input: object,
): Promise<Response> {
  const key = c.req.header('Idempotency-Key')
  if (key === undefined || !records.createIdempotent)
    return respondJson(c, { data: await records.create(c.get('actor'), input as never) }, 201)
  const { response, isReplay } = await records.createIdempotent(c.get('actor'), key, input as never)
  return respondJson(c, { data: response }, 201, isReplay ? { 'Idempotent-Replayed': 'true' } : {})
}

/** As `createRecord`: the first of equal requests changes the record. */
async function updateRecord(
  records: RecordRoutes['records'],
  c: RouteContext,
  input: object,
): Promise<Response> {
  const key = c.req.header('Idempotency-Key')
  const [actor, id, conditions] = [c.get('actor'), pathParam(c), readConditions(c)]
  if (key === undefined || !records.updateIdempotent)
    return respondJson(c, { data: await records.update(actor, id, input as never, conditions) })
  const { response, isReplay } = await records.updateIdempotent(actor, key, id, input as never, conditions)
  return respondJson(c, { data: response }, 200, isReplay ? { 'Idempotent-Replayed': 'true' } : {})
}
