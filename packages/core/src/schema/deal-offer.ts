import * as v from 'valibot'
import { day, uuid } from '../kernel/field-schemas.ts'
import { countResponse, responseSchema, textResponse } from '../kernel/response-schemas.ts'
import { multiLineTextOrNull } from '../kernel/text-schemas.ts'
import { BILLING_CYCLES } from './billing-cycle.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import { CURRENCIES } from './currency.ts'
import { discountResponse, type LineItem } from './deal-item.ts'
import type { RecordOf } from './field-types.ts'
import { system, value } from './fields.ts'
import { fileUrl } from './file-url.ts'
import { definePart } from './kind.ts'
import { type LineTotals, lineTotals } from './line-totals.ts'
import { reference } from './reference-fields.ts'
import type { SenderAddress } from './sender.ts'
import { choiceOf, instantType, jsonOf, storedCount, storedText, textOf, uuidType } from './value-types.ts'
import { derived, input } from './view-fields.ts'

/** Maximum per deal. */
export const MAX_OFFERS = 100

/** The languages in which offers are written. */
export const OFFER_LANGUAGES = ['en', 'pt-BR'] as const
export type OfferLanguage = (typeof OFFER_LANGUAGES)[number]

/** Offers of a workspace and year. */
export const MAX_OFFERS_OF_YEAR = 1_000_000

/** To whom an offer is made. */
export interface Recipient {
  readonly company_name: string | null
  readonly person_name: string | null
  readonly email: string | null
}

/** A line of an offer. */
export interface OfferItem
  extends Pick<
    LineItem,
    | 'name'
    | 'code'
    | 'description'
    | 'quantity'
    | 'unit_price_cts'
    | 'discount'
    | 'tax_rate'
    | 'billing_cycle'
  > {
  readonly total_cts: number
  readonly tax_cts: number
}

const [text, textOrNull] = [textResponse, v.nullable(textResponse)]

const senderResponse = responseSchema<SenderAddress>()({
  ...{ legal_name: text, tax_id: textOrNull, address: textOrNull, email: textOrNull },
})

const recipientResponse = responseSchema<Recipient>()({
  ...{ company_name: textOrNull, person_name: textOrNull, email: textOrNull },
})

export const offerItem = responseSchema<OfferItem>()({
  ...{ name: text, code: textOrNull, description: textOrNull, quantity: v.number() },
  ...{ unit_price_cts: countResponse, discount: v.nullable(discountResponse) as never },
  ...{ tax_rate: v.nullable(v.number()), billing_cycle: v.picklist(BILLING_CYCLES) },
  ...{ total_cts: countResponse, tax_cts: countResponse },
})

const stored = <T>(response: v.GenericSchema<unknown, unknown>) =>
  jsonOf<T, v.GenericSchema>(v.unknown(), response as v.GenericSchema<unknown, T>)

const NOTHING = { net_cts: 0, tax_cts: 0, gross_cts: 0 }
const ANNUAL = { net_cts: 303750, tax_cts: 57713, gross_cts: 361463 }

export const dealOffers = definePart({
  label: 'Offer',
  collection: 'deal_offers',
  fields: {
    id: id('01a1fc31-2d10-7b3c-8f21-6e5d4c3b2a10'),
    deal_id: system(uuidType, { level: 'hidden', initial: '', references: 'deals' }),
    /** The year times `MAX_OFFERS_OF_YEAR` and the number of the offer in the year, from 1: the order of offers. */
    serial: system(storedCount, { level: 'hidden', initial: 0 }),
    number: system(storedText, {
      ...{ level: 'item', initial: '', uniqueForever: true, example: '2026-0147' },
      description: 'Year and number in the year, counted in the workspace without gaps.',
    }),
    title: system(storedText, {
      ...{ level: 'item', initial: '', example: 'Licenças anuais' },
      description: 'Name of the deal when the offer was made.',
    }),
    date: system(storedText, {
      ...{ level: 'item', initial: '', example: '2026-03-01' },
      description: 'Day on which the offer was made, in the time zone of the workspace.',
    }),
    valid_until: value(textOf(day), {
      ...{ need: 'required', level: 'item', example: '2026-03-31' },
      description: 'Last day of its validity. Its link ends with it, in the time zone of the workspace.',
      inputDescription: 'Last day of its validity, today at the earliest.',
    }),
    language: value(choiceOf(OFFER_LANGUAGES), {
      ...{ need: 'required', level: 'item', example: 'pt-BR' },
      description: 'Language of the document.',
    }),
    notes: value(textOf(multiLineTextOrNull(4000)), {
      ...{ need: 'clearable', level: 'item', example: 'Pagamento em até 3 parcelas.' },
      description: 'Multi-line text below the totals.',
    }),
    person_id: input({
      schemas: { create: v.nullish(uuid) },
      description:
        'Id of the person to whom the offer is made. Default: the person of the deal. The company is that of the deal, else that ' +
        'of the person.',
    }),
    currency: system(choiceOf(CURRENCIES), {
      ...{ level: 'item', initial: 'USD', example: 'BRL' },
      description: 'ISO 4217 currency code.',
    }),
    sender: system(stored<SenderAddress>(senderResponse), {
      level: 'item',
      initial: { legal_name: '', tax_id: null, address: null, email: null },
      description: 'The sender of the workspace when the offer was made.',
      example: {
        ...{ legal_name: 'Aurora Sistemas Ltda.', tax_id: '45.723.120/0001-10' },
        ...{ address: 'Rua das Palmeiras, 480\nSão Paulo, SP', email: 'vendas@aurora.example' },
      },
    }),
    logo_key: system(storedText, { level: 'hidden', initial: null }),
    logo_url: derived({
      ...{ level: 'item', response: v.nullable(textResponse), reads: ['logo_key'], example: null },
      derive: ({ logo_key }: { readonly logo_key: string | null }, { issuer, workspaceId }) =>
        logo_key === null ? null : fileUrl(issuer, workspaceId, logo_key),
      description: 'URL of the logo on the document; `null` without one.',
    }),
    recipient: system(stored<Recipient>(recipientResponse), {
      level: 'item',
      initial: { company_name: null, person_name: null, email: null },
      description: 'To whom the offer is made.',
      example: {
        ...{ company_name: 'Pampa Consultoria', person_name: 'Vitória Silveira Barbosa' },
        email: 'vitoria.barbosa@pampa.example',
      },
    }),
    totals: system(stored<LineTotals>(lineTotals), {
      ...{ level: 'item', description: 'What the lines come to.' },
      initial: {
        one_time: NOTHING,
        monthly: NOTHING,
        quarterly: NOTHING,
        annually: NOTHING,
        first_year: NOTHING,
      },
      example: {
        ...{ one_time: NOTHING, monthly: NOTHING, quarterly: NOTHING, annually: ANNUAL, first_year: ANNUAL },
      },
    }),
    created_by: reference('members', {
      ...{ column: 'user_id', inputs: {}, need: 'clearable', shows: 'reference', level: 'item' },
      description: 'Who has made the offer.',
    }),
    /** Of the token of its address. It stays when the link is revoked, so that who has the link is told so. */
    link_hash: system(storedText, { level: 'hidden', initial: null }),
    link_created_at: system(instantType, {
      ...{ level: 'item', initial: null, example: null },
      description: 'When its link was made; `null` without a link.',
    }),
    opens: system(storedCount, {
      ...{ level: 'item', initial: 0, example: 2 },
      description: 'How often its links were opened.',
    }),
    last_opened_at: system(instantType, {
      ...{ level: 'item', initial: null, example: '2026-03-02T09:20:00.000Z' },
      description: 'When a link of it was last opened; `null` if none was.',
    }),
    created_at: createdAt('item'),
    updated_at: updatedAt('hidden'),
    items: system(stored<readonly OfferItem[]>(v.array(offerItem)), {
      ...{ level: 'detail', initial: [], description: 'The lines, as they were when the offer was made.' },
      example: [
        {
          ...{
            name: 'Licença anual',
            code: 'LIC-12',
            description: null,
            quantity: 2.5,
            unit_price_cts: 135000,
          },
          ...{ discount: { percent: 10 }, tax_rate: 19, billing_cycle: 'annually' },
          ...{ total_cts: 303750, tax_cts: 57713 },
        },
      ],
    }),
  },
})

/** An offer of a deal as it is stored: what its document shows, which nothing changes any more, and its link. */
export interface DealOffer extends RecordOf<typeof dealOffers.fields> {}

/** Input of `crm.deals.offers.create`. */
export type OfferInput = v.InferInput<typeof dealOffers.create>

/** Returns the number of an offer, such as `2026-0147`. */
export function formatNumber(serial: number): string {
  const [year, nth] = [Math.floor(serial / MAX_OFFERS_OF_YEAR), serial % MAX_OFFERS_OF_YEAR]
  return `${year}-${String(nth).padStart(4, '0')}`
}
