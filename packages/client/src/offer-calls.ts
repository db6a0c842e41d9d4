import type * as Api from './api-types.ts'
import type { CallOptions, KeyedCallOptions } from './call-options.ts'
import { encodeId } from './check.ts'
import type { RecordCalls } from './record-calls.ts'

/** The offers of deals. Nothing changes an offer: a new one takes the next number. */
export interface OfferCollection {
  /** Returns all offers of a deal, the newest first, without their lines. */
  list(dealId: string, options?: CallOptions): Promise<Api.OfferListItem[]>
  get(dealId: string, id: string, options?: CallOptions): Promise<Api.Offer>
  /** Makes an offer. It has an idempotency key, so that a call whose response is lost makes one. */
  create(dealId: string, input: Api.NewOffer, options?: KeyedCallOptions): Promise<Api.Offer>
  /** Returns the document as PDF. */
  download(dealId: string, id: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>>
  /** Makes the link of an offer, which is returned once and ends a former one. */
  createLink(dealId: string, id: string, options?: CallOptions): Promise<Api.OfferLink>
  /** Ends the link of an offer. */
  deleteLink(dealId: string, id: string, options?: CallOptions): Promise<void>
}

export function createOfferCollection(calls: RecordCalls): OfferCollection {
  const pathOf = (dealId: string) => `deals/${encodeId('dealId', dealId)}/offers`
  const offerPath = (dealId: string, id: string) => `${pathOf(dealId)}/${encodeId('id', id)}`
  return {
    list: async (dealId, options) => calls.get(pathOf(dealId), options),
    get: async (dealId, id, options) => calls.get(offerPath(dealId, id), options),
    create: async (dealId, input, { idempotencyKey = crypto.randomUUID(), ...options } = {}) =>
      calls.post(pathOf(dealId), input, options, idempotencyKey),
    download: async (dealId, id, options) =>
      calls.getBytes(`${offerPath(dealId, id)}/pdf`, 'application/pdf', options),
    createLink: async (dealId, id, options) => calls.post(`${offerPath(dealId, id)}/link`, {}, options),
    deleteLink: async (dealId, id, options) => calls.delete(`${offerPath(dealId, id)}/link`, options),
  }
}
