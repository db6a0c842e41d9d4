import { type Crm, validate } from '@sales-crm/core'
import { dealOffers, RESOURCES } from '@sales-crm/core/declarations'
import * as operations from '../../openapi/offer-operations.ts'
import { contentDisposition } from '../content-disposition.ts'
import { readJson } from '../json-body.ts'
import { rejectQueryParameters } from '../query-string.ts'
import { respondJson } from '../response.ts'
import { rejectInput } from './reject-input.ts'
import { type ApiRoute, pathParam, type RouteContext } from './route.ts'

const { scopes } = RESOURCES.deals
const [read, write] = [{ scope: scopes.read }, { scope: scopes.write }]
const path = '/v1/deals/:id/offers'
const offerPath = `${path}/:offer_id`

/** The offers of deals. */
export function offerRoutes({ deals: { offers } }: Pick<Crm, 'deals'>): readonly ApiRoute[] {
  const idsOf = (c: RouteContext) => [c.get('actor'), pathParam(c), pathParam(c, 'offer_id')] as const
  return [
    {
      ...{ method: 'GET', path, access: read, turn: 'short', operation: operations.LIST_OFFERS },
      async handle(c) {
        rejectQueryParameters(c.req.url)
        return respondJson(c, { data: await offers.list(c.get('actor'), pathParam(c)) })
      },
    },
    {
      ...{ method: 'POST', path, access: write, write: 'create', turn: 'short' },
      operation: operations.CREATE_OFFER,
      async handle(c) {
        const input = (await readJson(c.get('body'))) as never
        rejectQueryParameters(c.req.url, () => validate(dealOffers.create, input))
        const [actor, dealId, key] = [c.get('actor'), pathParam(c), c.req.header('Idempotency-Key')]
        if (key === undefined) return respondJson(c, { data: await offers.create(actor, dealId, input) }, 201)
        const { response, isReplay } = await offers.createIdempotent(actor, key, dealId, input)
        return respondJson(c, { data: response }, 201, isReplay ? { 'Idempotent-Replayed': 'true' } : {})
      },
    },
    {
      ...{ method: 'GET', path: offerPath, access: read, turn: 'short', operation: operations.GET_OFFER },
      async handle(c) {
        rejectQueryParameters(c.req.url)
        return respondJson(c, { data: await offers.get(...idsOf(c)) })
      },
    },
    {
      ...{ method: 'GET', path: `${offerPath}/pdf`, access: read, turn: 'long' },
      operation: operations.GET_OFFER_DOCUMENT,
      async handle(c) {
        rejectQueryParameters(c.req.url)
        const { document, filename } = await offers.print(...idsOf(c))
        return c.body(Buffer.from(document), 200, {
          'Content-Type': 'application/pdf',
          'Content-Disposition': contentDisposition('attachment', filename),
          'Content-Length': String(document.length),
          'Cache-Control': 'private, no-store',
        })
      },
    },
    {
      ...{ method: 'POST', path: `${offerPath}/link`, access: write, turn: 'short' },
      operation: operations.CREATE_OFFER_LINK,
      async handle(c) {
        await rejectInput(c)
        return respondJson(c, { data: await offers.createLink(...idsOf(c)) }, 201)
      },
    },
    {
      ...{ method: 'DELETE', path: `${offerPath}/link`, access: write, turn: 'short' },
      operation: operations.DELETE_OFFER_LINK,
      async handle(c) {
        rejectQueryParameters(c.req.url)
        await offers.removeLink(...idsOf(c))
        return c.body(null, 204)
      },
    },
  ]
}
