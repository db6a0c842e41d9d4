import * as v from 'valibot'
import { httpsUrl, integer } from '../kernel/field-schemas.ts'
import { textResponse } from '../kernel/response-schemas.ts'
import {
  jsonSchema,
  multiLineTextOrNull,
  singleLineText,
  singleLineTextOrNull,
  string,
} from '../kernel/text-schemas.ts'
import { BILLING_CYCLES } from './billing-cycle.ts'
import { createdAt, id, searchTerms, updatedAt } from './common-fields.ts'
import { CURRENCIES, MAX_AMOUNT } from './currency.ts'
import { externalIds } from './external-ids.ts'
import type { RecordOf } from './field-types.ts'
import { system, value } from './fields.ts'
import { fileUrl } from './file-url.ts'
import { isFlag } from './filter-rules.ts'
import { defineKind } from './kind.ts'
import { DELETE_NOTE, PATCH_NOTE, SEARCH_NOTE } from './operation-notes.ts'
import { choiceOf, flagType, integerOf, storedText, textOf } from './value-types.ts'
import { derived, input } from './view-fields.ts'

/** In normalization form C, so that equal codes are equal texts. */
export const productCode = v.pipe(
  string,
  jsonSchema({ maxLength: 60 }),
  v.transform((text) => text.normalize('NFC')),
  singleLineTextOrNull(60),
)

/** An inline image is already decoded; one at a URL is fetched after all other fields are valid. */
const image = v.pipe(
  v.string('Must be a string.'),
  v.check((value) => !isImageUrl(value) || v.is(httpsUrl, value), 'Must be an https URL.'),
)

export function isImageUrl(image: unknown): image is string {
  return typeof image === 'string' && /^https?:\/\//i.test(image)
}

export const products = defineKind({
  label: 'Product',
  collection: 'products',
  scopes: { read: 'products:read', write: 'products:write' },
  memberAccess: 'settings',
  fields: {
    id: id('01a1fc31-27eb-755b-86fb-5125e1eadadb'),
    name: value(textOf(singleLineText(1, 80)), {
      ...{ need: 'required', level: 'summary', sortable: true },
      description: 'Name.',
      example: 'Licença anual',
    }),
    currency: value(choiceOf(CURRENCIES), {
      ...{ need: 'required', level: 'summary' },
      description: 'ISO 4217 currency code.',
      example: 'BRL',
    }),
    /** An integer from 0 to 10^15. */
    price_cts: value(integerOf(integer(0, MAX_AMOUNT)), {
      ...{ need: 'resettable', initial: 0, level: 'summary' },
      description: 'Price in minor units of the currency, such as cents.',
      example: 135000,
    }),
    description: value(textOf(multiLineTextOrNull(1000)), {
      ...{ need: 'clearable', level: 'item' },
      description: 'Multi-line text.',
      example: 'Por usuário',
    }),
    /** The seller's own code, such as an SKU. */
    code: value(textOf(productCode), {
      ...{ need: 'clearable', level: 'summary', unique: true },
      description: 'Your product code, unique in the workspace.',
      inputDescription: 'Your product code, unique in the workspace. Stored in Unicode normalization form C.',
      example: 'LIC-12',
    }),
    is_active: value(flagType, {
      ...{ need: 'optional', initial: true, level: 'item' },
      filters: { is_active: isFlag('Products that are for sale (`true`) or not (`false`).') },
      description: '`true` if the product is for sale.',
      example: true,
    }),
    billing_cycle: value(choiceOf(BILLING_CYCLES), {
      ...{ need: 'optional', initial: 'one_time', level: 'summary' },
      description: 'Billing interval.',
      example: 'annually',
    }),
    image: input({
      description:
        'A PNG, JPEG, GIF, WebP or AVIF image in Base64, with or without a data URI prefix, or its https ' +
        'URL. At most 2 097 152 bytes.',
      schemas: { create: v.nullish(image), update: v.optional(v.nullable(image)) },
    }),
    image_url: derived({
      ...{ level: 'item', response: v.nullable(textResponse), reads: ['image_key'] },
      derive: ({ image_key }: { readonly image_key: string | null }, { issuer, workspaceId }) =>
        image_key === null ? null : fileUrl(issuer, workspaceId, image_key),
      description: 'URL of the image. It requires no token; anyone who has it can read the image.',
      example:
        'https://crm.example/files/01a1fc31-266f-71b1-a74e-0e333b1a6109/a8edf96d49f56492e12693edfc7083f4e63bc8430e7cab1fa1a4ee602e89db09',
    }),
    created_at: createdAt('item'),
    updated_at: updatedAt('hidden'),
    external_ids: externalIds,
    /** The key of its image file; null without an image. */
    image_key: system(storedText, { level: 'hidden', initial: null }),
    search_terms: searchTerms,
  },
  texts: {
    about: 'Products with prices and images.',
    list: SEARCH_NOTE,
    create:
      '`image` is the image in Base64, or an https URL from which it is downloaded once. ' +
      'The maximum body size is 4 MiB.',
    update: `${PATCH_NOTE} The maximum body size is 4 MiB.`,
    remove: `${DELETE_NOTE} Its image is deleted too.`,
  },
  errorExamples: { currency: 'Required.', image: 'The server answered 404.' },
  inputExamples: {
    create: {
      name: 'Licença anual',
      currency: 'BRL',
      price_cts: 135000,
      code: 'LIC-12',
      billing_cycle: 'annually',
    },
    update: { price_cts: 140000, is_active: false },
  },
})

/** A product as it is stored. */
export interface Product extends RecordOf<typeof products.fields> {}
