import {
  type Actor,
  type IdempotentCreateApi,
  type RecordApi,
  validate,
  validatePatch,
} from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import type { GenericSchema } from 'valibot'
import { type RecordKind, recordOperations } from '../../openapi/record-operations.ts'
import { readJson } from '../json-body.ts'
import { rejectQueryParameters, withQuery } from '../query-string.ts'
import { MAX_BODY_BYTES } from '../request-body.ts'
import { createdResponse, type HttpResponse, NO_CONTENT, okResponse } from '../response.ts'
import type { Route } from './route.ts'

interface RecordDefinition {
  readonly create: GenericSchema
  readonly update: GenericSchema
  readonly scopes: { readonly read: string; readonly write: string }
}

/** The operations as called with unvalidated HTTP input; the core validates it. */
type UntypedRecordApi = Omit<RecordApi<never, never, never, object, object>, 'list'> & {
  list(actor: Actor, query: never): Promise<object>
}
type UntypedIdempotentApi = UntypedRecordApi & IdempotentCreateApi<never, object>

type CreateHandler = (actor: Actor, input: object, request: HonoRequest) => Promise<HttpResponse>

interface Options {
  /** Maximum body size in bytes. */
  readonly maxBodyBytes?: number
  /** True if the cost of an update depends on the data. */
  readonly isUpdateQueued?: boolean
  /** Replaces the operation that creates a record. */
  readonly create?: CreateHandler
}

/** The five CRUD routes of a collection. */
export function recordRoutes(
  path: string,
  kind: RecordKind,
  { scopes, create, update }: RecordDefinition,
  records: UntypedRecordApi,
  {
    maxBodyBytes = MAX_BODY_BYTES,
    isUpdateQueued = false,
    create: createRecord = createWith(records),
  }: Options = {},
): readonly Route[] {
  const operations = recordOperations(kind, { create, update })
  return [
    {
      method: 'GET',
      path,
      scope: scopes.read,
      operation: operations.list,
      isQueued: true,
      handler: async (actor, { url }) =>
        okResponse(await withQuery(url, (query) => records.list(actor, query as never))),
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      scope: scopes.read,
      operation: operations.get,
      async handler(actor, request) {
        rejectQueryParameters(request.url)
        return okResponse({ data: await records.get(actor, idParam(request)) })
      },
    },
    {
      method: 'POST',
      path,
      scope: scopes.write,
      operation: operations.create,
      write: 'create',
      maxBodyBytes,
      async handler(actor, request) {
        const input = await readJson(request.raw, maxBodyBytes)
        rejectQueryParameters(request.url, () => validate(create, input))
        return createRecord(actor, input, request)
      },
    },
    {
      method: 'PATCH',
      path: `${path}/:id`,
      scope: scopes.write,
      operation: operations.update,
      write: 'update',
      isQueued: isUpdateQueued,
      maxBodyBytes,
      async handler(actor, request) {
        const input = await readJson(request.raw, maxBodyBytes)
        rejectQueryParameters(request.url, () => validatePatch(update, input))
        return okResponse({ data: await records.update(actor, idParam(request), input as never) })
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      scope: scopes.write,
      operation: operations.remove,
      async handler(actor, request) {
        rejectQueryParameters(request.url)
        await records.remove(actor, idParam(request))
        return NO_CONTENT
      },
    },
  ]
}

function createWith(records: UntypedRecordApi): CreateHandler {
  return async (actor, input) => createdResponse({ data: await records.create(actor, input as never) })
}

/** For collections whose POST accepts an `Idempotency-Key`. */
export function createIdempotentlyWith(records: UntypedIdempotentApi): CreateHandler {
  const createRecord = createWith(records)
  return async (actor, input, request) => {
    const key = request.header('Idempotency-Key')
    if (key === undefined) return createRecord(actor, input, request)
    const { response: answer, isReplay: replayed } = await records.createIdempotent(
      actor,
      key,
      input as never,
    )
    return createdResponse({ data: answer }, replayed ? { 'Idempotent-Replayed': 'true' } : {})
  }
}

export function idParam(request: HonoRequest, name = 'id'): string {
  return request.param(name) ?? ''
}
