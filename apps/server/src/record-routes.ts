import { type Actor, type OnceApi, type RecordApi, validate, validatePatch } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import type { GenericSchema } from 'valibot'
import { created, NO_CONTENT, ok, type Reply } from './answer.ts'
import { BODY_LIMIT, readJson } from './body.ts'
import { type Kind, recordOperations } from './openapi/record-operations.ts'
import { readQuery, refuseParameters, withQuery } from './query.ts'
import type { Route } from './routes.ts'

interface Family {
  readonly create: GenericSchema
  readonly update: GenericSchema
  readonly scopes: { readonly read: string; readonly write: string }
}

/** The core validates what it is handed: its input types are for programs, and what comes by HTTP passes for any of them. */
type Records = Omit<RecordApi<never, never, never, object, object>, 'list'> & { list(actor: Actor, query: never): Promise<object> }
type OnceRecords = Records & OnceApi<never, object>

type Create = (actor: Actor, input: object, request: HonoRequest) => Promise<Reply>

interface Options {
  /** Bytes. */
  readonly bodyLimit?: number
  /** How a record is made, where that is not all there is to it. */
  readonly make?: Create
}

/** The five routes every kind of record has. */
export function recordRoutes(
  path: string,
  kind: Kind,
  { scopes, create, update }: Family,
  records: Records,
  { bodyLimit = BODY_LIMIT, make = madeBy(records) }: Options = {},
): readonly Route[] {
  const about = recordOperations(kind, { create, update })
  return [
    {
      method: 'GET',
      path,
      scope: scopes.read,
      about: about.list,
      handler: async (actor, { url }) => ok(await withQuery(readQuery(url), (query) => records.list(actor, query as never))),
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      scope: scopes.read,
      about: about.get,
      async handler(actor, request) {
        refuseParameters(request.url)
        return ok({ data: await records.get(actor, idIn(request)) })
      },
    },
    {
      method: 'POST',
      path,
      scope: scopes.write,
      about: about.create,
      async handler(actor, request) {
        const input = await readJson(request.raw, bodyLimit)
        refuseParameters(request.url, () => validate(create, input))
        return make(actor, input, request)
      },
    },
    {
      method: 'PATCH',
      path: `${path}/:id`,
      scope: scopes.write,
      about: about.update,
      async handler(actor, request) {
        const input = await readJson(request.raw, bodyLimit)
        refuseParameters(request.url, () => validatePatch(update, input))
        return ok({ data: await records.update(actor, idIn(request), input as never) })
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      scope: scopes.write,
      about: about.remove,
      async handler(actor, request) {
        refuseParameters(request.url)
        await records.remove(actor, idIn(request))
        return NO_CONTENT
      },
    },
  ]
}

function madeBy(records: Records): Create {
  return async (actor, input) => created({ data: await records.create(actor, input as never) })
}

/** For kinds of which a POST may name an `Idempotency-Key`. */
export function madeOnceBy(records: OnceRecords): Create {
  const makeEach = madeBy(records)
  return async (actor, input, request) => {
    const key = request.header('Idempotency-Key')
    if (key === undefined) return makeEach(actor, input, request)
    const { answer, replayed } = await records.createOnce(actor, key, input as never)
    return created({ data: answer }, replayed ? { 'Idempotent-Replayed': 'true' } : {})
  }
}

export function idIn(request: HonoRequest, name = 'id'): string {
  return request.param(name) ?? ''
}
