import { type Crm, RULED_KINDS, type RuledKind, validate } from '@sales-crm/core'
import { RESOURCES, sharesInput } from '@sales-crm/core/declarations'
import {
  getSharesOperation,
  getViewersOperation,
  setSharesOperation,
} from '../../openapi/share-operations.ts'
import { readJson } from '../json-body.ts'
import { rejectQueryParameters } from '../query-string.ts'
import { respondJson } from '../response.ts'
import { pathOfKind } from './record-routes.ts'
import { type ApiRoute, pathParam } from './route.ts'

/** With whom single records are shared, and who sees them. */
export function shareRoutes(crm: Crm): readonly ApiRoute[] {
  return RULED_KINDS.flatMap((kind) => [getRoute(kind, crm), putRoute(kind, crm), getViewersRoute(kind, crm)])
}

function getRoute(kind: RuledKind, crm: Crm): ApiRoute {
  return {
    ...{ method: 'GET', path: `${pathOfKind(kind)}/:id/shares`, turn: 'short' },
    access: { scope: RESOURCES[kind].scopes.read },
    operation: getSharesOperation(kind),
    async handle(c) {
      rejectQueryParameters(c.req.url)
      return respondJson(c, { data: await crm[kind].shares(c.get('actor'), pathParam(c)) })
    },
  }
}

function putRoute(kind: RuledKind, crm: Crm): ApiRoute {
  return {
    ...{ method: 'PUT', path: `${pathOfKind(kind)}/:id/shares`, turn: 'short', write: 'update' },
    access: { scope: RESOURCES[kind].scopes.write },
    operation: setSharesOperation(kind),
    async handle(c) {
      const input = await readJson(c.get('body'))
      rejectQueryParameters(c.req.url, () => validate(sharesInput, input))
      return respondJson(c, { data: await crm[kind].setShares(c.get('actor'), pathParam(c), input as never) })
    },
  }
}

function getViewersRoute(kind: RuledKind, crm: Crm): ApiRoute {
  return {
    ...{ method: 'GET', path: `${pathOfKind(kind)}/:id/viewers`, turn: 'short' },
    access: { scope: RESOURCES[kind].scopes.read },
    operation: getViewersOperation(kind),
    async handle(c) {
      rejectQueryParameters(c.req.url)
      return respondJson(c, { data: await crm[kind].viewers(c.get('actor'), pathParam(c)) })
    },
  }
}
