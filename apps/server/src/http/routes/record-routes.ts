import {
  type Actor,
  type IdempotentCreateApi,
  type IdempotentUpdateApi,
  type RecordApi,
  validate,
  validatePatch,
} from '@sales-crm/core'
import { type Context, Hono } from 'hono'
import type { GenericSchema } from 'valibot'
import type { AppEnv } from '../app-env.ts'
import { readConditions, respondVersioned } from '../etag.ts'
import { readJson } from '../json-body.ts'
import type { RouteAccess } from '../middleware/authorize.ts'
import { rejectQueryParameters, withQuery } from '../query-string.ts'
import { MAX_BODY_BYTES } from '../request-body.ts'
import { respondJson, respondList } from '../response.ts'
import type { Guards } from './guards.ts'

export interface RecordDefinition {
  readonly create: GenericSchema
  readonly update: GenericSchema
  readonly scopes: { readonly read: string; readonly write: string }
}

/** The operations as called with unvalidated HTTP input; the core validates it. */
type UntypedRecordApi = Omit<RecordApi<never, never, never, object, object>, 'list'> &
  Partial<IdempotentCreateApi<never, object> & IdempotentUpdateApi<never, object>> & {
    list(actor: Actor, query: never): Promise<{ readonly data: readonly object[] }>
  }

type RouteContext = Context<AppEnv>

export interface RecordRouteOptions {
  /** Maximum body size in bytes. */
  readonly maxBodyBytes?: number
  /** True if the cost of an update depends on the data. */
  readonly isUpdateLong?: boolean
  /** A scope accepted for reading in place of the definition's. */
  readonly alternativeReadScope?: string
}

/** The five CRUD routes of a collection. */
export function recordRoutes(
  { scopes, create, update }: RecordDefinition,
  records: UntypedRecordApi,
  { authorize, takeTurn, enforceQuota }: Guards,
  options: RecordRouteOptions = {},
): Hono<AppEnv> {
  const { maxBodyBytes = MAX_BODY_BYTES } = options
  const read: RouteAccess = {
    scope: scopes.read,
    ...(options.alternativeReadScope && { alternativeScope: options.alternativeReadScope }),
  }
  const write: RouteAccess = { scope: scopes.write }

  return new Hono<AppEnv>()
    .get('/', authorize(read), takeTurn('long'), async (c) =>
      respondList(c, await withQuery(c.req.url, (query) => records.list(c.get('actor'), query as never))),
    )
    .get('/:id', authorize(read), takeTurn('short'), async (c) => {
      rejectQueryParameters(c.req.url)
      return respondVersioned(c, await records.getVersioned(c.get('actor'), idParam(c)))
    })
    .post('/', authorize(write), enforceQuota('create'), takeTurn('short', maxBodyBytes), async (c) => {
      const input = await readJson(c.get('body'), maxBodyBytes)
      rejectQueryParameters(c.req.url, () => validate(create, input))
      return createRecord(records, c, input)
    })
    .patch(
      '/:id',
      authorize(write),
      enforceQuota('update'),
      takeTurn(options.isUpdateLong ? 'long' : 'short', maxBodyBytes),
      async (c) => {
        const input = await readJson(c.get('body'), maxBodyBytes)
        rejectQueryParameters(c.req.url, () => validatePatch(update, input))
        return updateRecord(records, c, input)
      },
    )
    .delete('/:id', authorize(write), takeTurn('short'), async (c) => {
      rejectQueryParameters(c.req.url)
      await records.remove(c.get('actor'), idParam(c), readConditions(c))
      return c.body(null, 204)
    })
}

/** With an `Idempotency-Key`, the first of equal requests creates a record, and the others get its response. */
async function createRecord(records: UntypedRecordApi, c: RouteContext, input: object): Promise<Response> {
  const key = c.req.header('Idempotency-Key')
  if (key === undefined || !records.createIdempotent)
    return respondJson(c, { data: await records.create(c.get('actor'), input as never) }, 201)
  const { response, isReplay } = await records.createIdempotent(c.get('actor'), key, input as never)
  return respondJson(c, { data: response }, 201, isReplay ? { 'Idempotent-Replayed': 'true' } : {})
}

/** As `createRecord`: the first of equal requests changes the record. */
async function updateRecord(records: UntypedRecordApi, c: RouteContext, input: object): Promise<Response> {
  const key = c.req.header('Idempotency-Key')
  const [actor, id, conditions] = [c.get('actor'), idParam(c), readConditions(c)]
  if (key === undefined || !records.updateIdempotent)
    return respondJson(c, { data: await records.update(actor, id, input as never, conditions) })
  const { response, isReplay } = await records.updateIdempotent(actor, key, id, input as never, conditions)
  return respondJson(c, { data: response }, 200, isReplay ? { 'Idempotent-Replayed': 'true' } : {})
}

export function idParam(c: RouteContext, name = 'id'): string {
  return c.req.param(name) ?? ''
}
