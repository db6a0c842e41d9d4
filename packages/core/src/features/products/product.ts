import * as v from 'valibot'
import { booleanFilter } from '../../engine/list-query.ts'
import { defineResource, lifecycleEvents, noDerivedFields } from '../../engine/resource.ts'
import { extractRecordTerms, joinTerms } from '../../engine/search-terms.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { flag, httpsUrl, integer, oneOf } from '../../kernel/field-schemas.ts'
import { changeable, clearable, object, resettable } from '../../kernel/object-schemas.ts'
import {
  jsonSchema,
  multiLineTextOrNull,
  singleLineText,
  singleLineTextOrNull,
  string,
} from '../../kernel/text-schemas.ts'
import { CURRENCIES } from '../../schema/currency.ts'
import { BILLING_CYCLES, type Product } from '../../schema/product.ts'
import { searchFilter } from '../associations/search-filters.ts'
import { fileUrl } from '../files/stored-file.ts'
import { isUrl } from './product-image.ts'

const name = singleLineText(1, 80)
const currency = oneOf(CURRENCIES)
const price = integer(0, 1e15)
const cycle = oneOf(BILLING_CYCLES)
/** In normalization form C, so that equal codes are equal texts. */
const code = v.pipe(
  string,
  jsonSchema({ maxLength: 60 }),
  v.transform((text) => text.normalize('NFC')),
  singleLineTextOrNull(60),
)
const description = multiLineTextOrNull(1000)
/** An inline image is already decoded; one at a URL is fetched after all other fields are valid. */
const image = v.pipe(
  v.string('Must be a string.'),
  v.check((value) => !isUrl(value) || v.is(httpsUrl, value), 'Must be an https URL.'),
)

/** A product as `crm.products` returns it. */
export interface ProductView
  extends Pick<
    Product,
    | 'id'
    | 'name'
    | 'currency'
    | 'price_cts'
    | 'description'
    | 'code'
    | 'is_active'
    | 'billing_cycle'
    | 'created_at'
  > {
  /** Requires no token: anyone who has it can read the image. Null without an image. */
  readonly image_url: string | null
}

export const productEvents = lifecycleEvents('product.created', 'product.updated', 'product.deleted')

/** Defines products whose image URLs begin with `address`, the service's public URL. */
export function defineProducts(address: string) {
  const views = async (page: readonly Product[], { workspaceId }: WorkspaceTransaction) =>
    page.map((product) =>
      toProductView(product, product.image_key && fileUrl(address, workspaceId, product.image_key)),
    )

  return defineResource<Product>()({
    label: 'Product',
    scopes: { read: 'products:read', write: 'products:write' },
    collection: 'products',
    orderBy: ['created_at', 'name'],
    filters: { search: searchFilter<Product>(), is_active: booleanFilter<Product>('is_active') },
    create: object({
      name,
      currency,
      price_cts: v.nullish(price, 0),
      description: v.nullish(description, null),
      code: v.nullish(code, null),
      is_active: v.nullish(flag, true),
      billing_cycle: v.nullish(cycle, 'one_time'),
      image: v.nullish(image),
    }),
    update: object({
      ...changeable({ name, currency, is_active: flag, billing_cycle: cycle }),
      price_cts: resettable(price, 0),
      ...clearable({ description, code, image }),
    }),
    references: {},
    codePrefix: null,
    defaults: {
      name: '',
      currency: 'USD',
      price_cts: 0,
      description: null,
      code: null,
      is_active: true,
      billing_cycle: 'one_time',
      image_key: null,
      search_terms: '',
    },
    searchTerms: buildProductSearchTerms,
    deriveFields: noDerivedFields,
    events: productEvents,
    listView: views,
    detailView: views,
    snapshot: (product) => ({ product }),
  })
}

/** For uses that do not depend on the public URL, such as schemas. */
export const products = defineProducts('')

export function buildProductSearchTerms({ name, code }: Pick<Product, 'name' | 'code'>): string {
  return joinTerms([name, code ?? ''].flatMap(extractRecordTerms))
}

function toProductView(product: Product, image_url: string | null): ProductView {
  const { id, name, currency, price_cts, description, code, is_active, billing_cycle, created_at } = product
  return { id, name, currency, price_cts, description, code, is_active, billing_cycle, image_url, created_at }
}
