import type { DealOffer } from '../schema/deal-offer.ts'

/** What the document of an offer shows. */
export interface PrintableOffer
  extends Pick<
    DealOffer,
    | 'number'
    | 'title'
    | 'date'
    | 'valid_until'
    | 'language'
    | 'notes'
    | 'currency'
    | 'sender'
    | 'recipient'
    | 'items'
    | 'totals'
    | 'created_at'
  > {
  /** A PNG or JPEG image in Base64; null without one. */
  readonly logo: string | null
}

/**
 * Returns the document of an offer as PDF, the same bytes for the same offer.
 * @throws CrmError `rate_limit_exceeded` if too many documents wait
 */
export type PrintOffer = (offer: PrintableOffer) => Promise<Uint8Array>
