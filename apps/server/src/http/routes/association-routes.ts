import { type Crm, validate } from '@sales-crm/core'
import { membershipInput, RESOURCES } from '@sales-crm/core/declarations'
import { kindDocument } from '../../openapi/kind-document.ts'
import { membershipOperation } from '../../openapi/record-operations.ts'
import { timelineOperation } from '../../openapi/report-operations.ts'
import { readJson } from '../json-body.ts'
import { rejectQueryParameters, withQuery } from '../query-string.ts'
import { respondJson, respondList } from '../response.ts'
import { pathOfKind } from './record-routes.ts'
import { type ApiRoute, pathParam } from './route.ts'

/** The kinds of records with tags, lists and a timeline. */
const KINDS = ['people', 'companies', 'deals'] as const
type Kind = (typeof KINDS)[number]

export function associationRoutes(crm: Crm): readonly ApiRoute[] {
  return KINDS.flatMap((kind) => [timelineRoute(kind, crm), membershipRoute(kind, crm)])
}

function timelineRoute(kind: Kind, crm: Crm): ApiRoute {
  return {
    ...{ method: 'GET', path: `${pathOfKind(kind)}/:id/timeline`, turn: 'long' },
    access: { scope: RESOURCES[kind].scopes.read },
    operation: timelineOperation(kind),
    handle: async (c) =>
      respondList(
        c,
        await withQuery(c.req.url, (query) =>
          crm[kind].timeline(c.get('actor'), pathParam(c), query as object),
        ),
      ),
  }
}

function membershipRoute(kind: Kind, crm: Crm): ApiRoute {
  return {
    ...{ method: 'POST', path: `${pathOfKind(kind)}/:id/memberships`, turn: 'short', write: 'update' },
    access: { scope: RESOURCES[kind].scopes.write },
    operation: membershipOperation(kindDocument(kind)),
    async handle(c) {
      const input = await readJson(c.get('body'))
      rejectQueryParameters(c.req.url, () => validate(membershipInput, input))
      return respondJson(c, { data: await crm[kind].changeMemberships(c.get('actor'), pathParam(c), input) })
    },
  }
}
