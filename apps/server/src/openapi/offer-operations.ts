import { forbidden, idempotencyConflict, notFound, stateConflict, validationError } from '@sales-crm/core'
import { dealOffers, itemResponse, offerListResponse, responseSchemas } from '@sales-crm/core/declarations'
import { BODY_ERRORS, UNKNOWN_PARAMETER } from './body-errors.ts'
import type { Operation } from './operation.ts'
import { EMPTY_OBJECT } from './webhook-operations.ts'

const tag = 'Deals'
const OFFER = { name: 'OfferResponse', schema: itemResponse(responseSchemas.offers.detail) }
const [NO_DEAL, NO_OFFER, FORBIDDEN] = [notFound('Deal'), notFound('Offer'), forbidden('update', 'deal')]
const params = {
  offer_id: {
    description: 'Id of the offer.',
    ...{ isId: true, example: '01a1fc31-2d10-7b3c-8f21-6e5d4c3b2a10' },
  },
}
const FILE_HEADERS = {
  'Content-Disposition': 'The file name.',
  'Cache-Control': '`private, no-store`.',
}

export const LIST_OFFERS: Operation = {
  ...{ id: 'listOffers', tag, summary: 'List the offers of a deal' },
  description: 'Returns all of them, the newest first, without their lines.',
  success: {
    ...{ status: 200, description: 'All offers of the deal.' },
    response: { name: 'OfferListResponse', schema: offerListResponse },
  },
  errors: [NO_DEAL],
}

export const CREATE_OFFER: Operation = {
  ...{ id: 'createOffer', tag, summary: 'Make an offer of a deal' },
  description:
    'Copies what the deal sells now, its name, the recipient and the sender of the workspace: nothing changes an offer later. ' +
    'It takes the next number of the year. The deal must have items, and the workspace a sender. At most 100 per deal. An ' +
    '`Idempotency-Key` makes it safe to retry.',
  body: { name: 'NewOffer', schema: dealOffers.create },
  takesIdempotencyKey: true,
  success: { status: 201, description: 'The new offer.', response: OFFER },
  errors: [
    ...BODY_ERRORS,
    validationError({ items: 'The deal must have items.', sender: 'The workspace must have a sender.' }),
    ...[NO_DEAL, idempotencyConflict(), FORBIDDEN],
  ],
}

export const GET_OFFER: Operation = {
  ...{ id: 'getOffer', tag, summary: 'Retrieve an offer of a deal', params },
  description: 'Returns the offer with its lines.',
  success: { status: 200, description: 'The offer.', response: OFFER },
  errors: [NO_OFFER],
}

export const GET_OFFER_DOCUMENT: Operation = {
  ...{ id: 'getOfferDocument', tag, summary: 'Download an offer of a deal', params },
  description: 'The offer as PDF, in A4 and in its language. Few are made at a time: another one gets a 429.',
  success: { status: 200, description: 'The document.', types: ['application/pdf'], headers: FILE_HEADERS },
  errors: [NO_OFFER],
}

export const CREATE_OFFER_LINK: Operation = {
  ...{ id: 'createOfferLink', tag, summary: 'Create the link of an offer', params },
  description:
    'Returns an address at which everybody who has it reads the document, until the last day of the offer. It is shown once, ' +
    'and another call makes another one, which ends it.',
  body: { name: 'Nothing', schema: EMPTY_OBJECT, optional: true },
  success: {
    ...{ status: 201, description: 'The link.' },
    response: { name: 'OfferLinkResponse', schema: itemResponse(responseSchemas.offer_links.detail) },
  },
  errors: [
    ...BODY_ERRORS,
    validationError({ days: 'Unknown field.' }),
    ...[NO_OFFER, FORBIDDEN, stateConflict('valid_until', 'The offer is over: make a new one.')],
  ],
}

export const DELETE_OFFER_LINK: Operation = {
  ...{ id: 'deleteOfferLink', tag, summary: 'Revoke the link of an offer', params },
  description: 'Ends it at once. Whoever opens it then reads that the offer is no longer valid.',
  success: { status: 204, description: 'The offer has no link.' },
  errors: [NO_OFFER, FORBIDDEN],
}

export const OPEN_OFFER: Operation = {
  ...{ id: 'openOffer', tag, summary: 'Open the link of an offer' },
  description:
    'No token is required: the URL is the link of an offer. Sets no cookie, and counts that the offer was opened. A link ' +
    'that was revoked, whose offer is over or whose deal was deleted gets a page that says so, with the address of the sender.',
  params: { token: { description: 'The secret part of the link.', isId: false, example: 'crm_of_01a1fc31' } },
  refusesWithPages: true,
  success: {
    ...{ status: 200, description: 'The document.', types: ['application/pdf'] },
    headers: { ...FILE_HEADERS, 'X-Robots-Tag': '`noindex`.', 'Referrer-Policy': '`no-referrer`.' },
  },
  errors: [NO_OFFER, UNKNOWN_PARAMETER],
}
