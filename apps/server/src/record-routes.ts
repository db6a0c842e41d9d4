import { type Actor, type OnceApi, type RecordApi, validate, validatePatch } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import type { GenericSchema } from 'valibot'
import { created, NO_CONTENT, ok, type Reply } from './answer.ts'
import { BODY_LIMIT, readJson } from './body.ts'
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

/** The five routes every kind of record has. */
export function recordRoutes(path: string, family: Family, records: Records, bodyLimit = BODY_LIMIT): readonly Route[] {
  const { scopes, create, update } = family
  return [
    {
      method: 'GET',
      path,
      scope: scopes.read,
      handler: async (actor, { url }) => ok(await withQuery(readQuery(url), (query) => records.list(actor, query as never))),
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      scope: scopes.read,
      async handler(actor, request) {
        refuseParameters(request.url)
        return ok({ data: await records.get(actor, idIn(request)) })
      },
    },
    {
      method: 'POST',
      path,
      scope: scopes.write,
      async handler(actor, request) {
        const input = await readJson(request.raw, bodyLimit)
        refuseParameters(request.url, () => validate(create, input))
        return created({ data: await records.create(actor, input as never) })
      },
    },
    {
      method: 'PATCH',
      path: `${path}/:id`,
      scope: scopes.write,
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
      async handler(actor, request) {
        refuseParameters(request.url)
        await records.remove(actor, idIn(request))
        return NO_CONTENT
      },
    },
  ]
}

/** As `recordRoutes`, where a POST may name an `Idempotency-Key`. */
export function onceRecordRoutes(path: string, family: Family, records: OnceRecords): readonly Route[] {
  return recordRoutes(path, family, records).map((route) => (route.method === 'POST' ? { ...route, handler } : route))

  async function handler(actor: Actor, request: HonoRequest): Promise<Reply> {
    const input = await readJson(request.raw)
    const key = request.header('Idempotency-Key')
    refuseParameters(request.url, () => validate(family.create, input))
    if (key === undefined) return created({ data: await records.create(actor, input as never) })
    const { answer, replayed } = await records.createOnce(actor, key, input as never)
    return created({ data: answer }, replayed ? { 'Idempotent-Replayed': 'true' } : {})
  }
}

function idIn(request: Parameters<Route['handler']>[1]): string {
  return request.param('id') ?? ''
}
