import * as v from 'valibot'
import { integerParameter, type Listing, namesParameter } from '../../engine/list-query.ts'
import { validate } from '../../engine/validate.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import type { CompanyItem, DealItem, PersonItem, ProductItem } from '../../schema/views.ts'
import { searchText } from '../associations/search-filters.ts'
import { companies } from '../companies/company.ts'
import { deals } from '../deals/deal.ts'
import { people } from '../people/person.ts'
import { products } from '../products/product.ts'

const SCOPES = {
  people: people.scopes.read,
  companies: companies.scopes.read,
  deals: deals.scopes.read,
  products: products.scopes.read,
}
type SearchedKind = keyof typeof SCOPES
const KINDS = Object.keys(SCOPES) as readonly SearchedKind[]

export const searchQuery = v.object({
  search: searchText,
  kinds: v.optional(namesParameter(KINDS)),
  limit: v.optional(integerParameter({ min: 1, max: 50, message: 'Must be between 1 and 50.' }), 10),
})
/**
 * The query of `crm.searchRecords`: `search` as in lists, `kinds` separated by commas (default: all that the actor
 * may read), and the number of records of each kind, from 1 to 50 (default 10).
 */
export type SearchQuery = v.InferInput<typeof searchQuery>

/** Records of one kind. */
export interface SearchResult<Item> {
  /** Number of matches. */
  readonly total: number
  /** The newest of them, as in lists. */
  readonly records: readonly Item[]
}

/** A kind is absent if it was not searched. */
export interface SearchResults {
  readonly people?: SearchResult<PersonItem>
  readonly companies?: SearchResult<CompanyItem>
  readonly deals?: SearchResult<DealItem>
  readonly products?: SearchResult<ProductItem>
}

type SearchList = (
  actor: Actor,
  query: { readonly search: string; readonly per_page: number },
) => Promise<Listing<object>>
type SearchedApis = Readonly<Record<SearchedKind, { readonly list: SearchList }>>

/** @throws CrmError `validation_error`, `insufficient_scope` */
export async function searchRecords(
  apis: SearchedApis,
  actor: Actor,
  query: SearchQuery,
): Promise<SearchResults> {
  const { kinds: requested, limit } = validate(searchQuery, query, 'parameter')
  for (const kind of requested ?? []) requireScope(actor, SCOPES[kind])
  const kinds = requested ?? KINDS.filter((kind) => actor.scopes.has(SCOPES[kind]))
  if (kinds.length === 0) requireScope(actor, SCOPES.people)
  const pages = await Promise.all(
    kinds.map((kind) => apis[kind].list(actor, { search: query.search, per_page: limit })),
  )
  return Object.fromEntries(
    pages.map(({ data, meta }, index) => [kinds[index], { total: meta.total, records: data }]),
  )
}
