import { type RecordApi, validate, validatePatch } from '@sales-crm/core'
import type { GenericSchema } from 'valibot'
import { created, NO_CONTENT, ok } from './answer.ts'
import { readJson } from './body.ts'
import { readQuery, refuseParameters, withQuery } from './query.ts'
import type { Route } from './routes.ts'

interface Family {
  readonly create: GenericSchema
  readonly update: GenericSchema
  readonly scopes: { readonly read: string; readonly write: string }
}

/** The core validates what it is handed: its input types are for programs, and what comes by HTTP passes for any of them. */
type Records = RecordApi<never, never, never, object, object>

/** The five routes every kind of record has. */
export function recordRoutes(path: string, { scopes, create, update }: Family, records: Records): readonly Route[] {
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
        const input = await readJson(request.raw)
        refuseParameters(request.url, () => validate(create, input))
        return created({ data: await records.create(actor, input as never) })
      },
    },
    {
      method: 'PATCH',
      path: `${path}/:id`,
      scope: scopes.write,
      async handler(actor, request) {
        const input = await readJson(request.raw)
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

function idIn(request: Parameters<Route['handler']>[1]): string {
  return request.param('id') ?? ''
}
