import * as v from 'valibot'
import { CURRENCIES, type Currency } from '../deals/currency.ts'
import { fileUrl } from '../files/stored-file.ts'
import type { Instant, RecordBase } from '../ports.ts'
import {
  changeable,
  clearable,
  flag,
  httpsUrl,
  integer,
  line,
  lineOrNone,
  object,
  oneOf,
  resettable,
  textOrNone,
} from '../records/fields.ts'
import { byFlag } from '../records/query.ts'
import { defineResource, lifeEvents, nothingToSettle } from '../records/resource.ts'
import { bySearch } from '../records/search.ts'
import type { Unit } from '../records/unit.ts'
import { joinedWords, wordsIn } from '../records/words.ts'
import { isUrl } from './picture.ts'

export const BILLING_CYCLES = ['one_time', 'monthly', 'quarterly', 'annually'] as const

export type BillingCycle = (typeof BILLING_CYCLES)[number]

export interface Product extends RecordBase {
  readonly updated_at: Instant
  readonly name: string
  readonly currency: Currency
  /** Minor units of the currency. */
  readonly price_cts: number
  readonly description: string | null
  readonly code: string | null
  readonly is_active: boolean
  readonly billing_cycle: BillingCycle
  /** The key of its picture among the files. */
  readonly image_key: string | null
  readonly found_by: string
}

export const productShape = {
  columns: {
    name: 'text',
    currency: 'text',
    price_cts: 'integer',
    description: 'text?',
    code: 'text?',
    is_active: 'boolean',
    billing_cycle: 'text',
    image_key: 'text?',
    found_by: 'words',
  },
  unique: ['code'],
  neverReused: [],
  refersTo: {},
} as const

const name = line(1, 80)
const currency = oneOf(CURRENCIES)
const price = integer(0, 1e15)
const cycle = oneOf(BILLING_CYCLES)
const code = lineOrNone(60)
const description = textOrNone(1000)
/** A picture in the text itself has been looked at before; one at a URL is only looked for when all else is well. */
const image = v.pipe(
  v.string('Must be a string.'),
  v.check((value) => !isUrl(value) || v.is(httpsUrl, value), 'Must be an https URL.'),
)

export interface ProductView
  extends Pick<Product, 'id' | 'name' | 'currency' | 'price_cts' | 'description' | 'code' | 'is_active' | 'billing_cycle' | 'created_at'> {
  readonly image_url: string | null
}

export const productEvents = lifeEvents('product.created', 'product.updated', 'product.deleted')

/** Products as the service at `address` shows them: the URLs of their pictures begin with it. */
export function productsAt(address: string) {
  const views = async (page: readonly Product[], { workspaceId }: Unit) =>
    page.map((product) => productView(product, product.image_key && fileUrl(address, workspaceId, product.image_key)))

  return defineResource<Product>()({
    label: 'Product',
    scopes: { read: 'products:read', write: 'products:write' },
    store: (stores) => stores.products,
    orderBy: ['created_at', 'name'],
    filters: { search: bySearch<Product>(), is_active: byFlag<Product>('is_active') },
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
    codeLetter: null,
    blank: {
      name: '',
      currency: 'USD',
      price_cts: 0,
      description: null,
      code: null,
      is_active: true,
      billing_cycle: 'one_time',
      image_key: null,
      found_by: '',
    },
    associations: null,
    foundBy: productFoundBy,
    settle: nothingToSettle,
    events: productEvents,
    listView: views,
    detailView: views,
    snapshot: (product) => ({ product }),
  })
}

/** For their schemas, and whatever else does not depend on where the service is. */
export const products = productsAt('')

export function productFoundBy({ name, code }: Pick<Product, 'name' | 'code'>): string {
  return joinedWords([name, code ?? ''].flatMap(wordsIn))
}

function productView(product: Product, image_url: string | null): ProductView {
  const { id, name, currency, price_cts, description, code, is_active, billing_cycle, created_at } = product
  return { id, name, currency, price_cts, description, code, is_active, billing_cycle, image_url, created_at }
}
