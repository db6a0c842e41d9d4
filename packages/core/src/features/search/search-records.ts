import * as v from 'valibot'
import { integerParameter, type Listing, namesParameter } from '../../engine/list-query.ts'
import { validate } from '../../engine/validate.ts'
import { type Actor, requireScope, type Scope } from '../../kernel/actor.ts'
import type {
  ActivityItem,
  CompanyItem,
  DealItem,
  PersonItem,
  ProductItem,
  TaskItem,
} from '../../schema/views.ts'
import { activities } from '../activities/activity.ts'
import { searchText } from '../associations/search-text.ts'
import { companies } from '../companies/company.ts'
import { deals } from '../deals/deal.ts'
import { people } from '../people/person.ts'
import { products } from '../products/product.ts'
import { tasks } from '../tasks/task.ts'

const SEARCHED_RESOURCES = { people, companies, deals, products, tasks, activities }
type SearchedKind = keyof typeof SEARCHED_RESOURCES
const KINDS = Object.keys(SEARCHED_RESOURCES) as readonly SearchedKind[]
/** The kinds that are searched by default; the others if they are named. */
const DEFAULT_KINDS = KINDS.filter((kind) => kind !== 'tasks' && kind !== 'activities')

export const searchQuery = v.object({
  search: searchText,
  kinds: v.optional(namesParameter(KINDS)),
  limit: v.optional(integerParameter({ min: 1, max: 50, message: 'Must be between 1 and 50.' }), 10),
})
/**
 * The query of `crm.searchRecords`: `search` as in lists, `kinds` separated by commas (default: people, companies, deals and
 * products, as far as the actor may read them), and the number of records of each kind, from 1 to 50 (default 10).
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
  readonly tasks?: SearchResult<TaskItem>
  readonly activities?: SearchResult<ActivityItem>
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
  for (const kind of requested ?? []) requireScope(actor, readScope(kind))
  const kinds = requested ?? DEFAULT_KINDS.filter((kind) => actor.scopes.has(readScope(kind)))
  if (kinds.length === 0) requireScope(actor, people.scopes.read)
  const pages = await Promise.all(
    kinds.map((kind) => apis[kind].list(actor, { search: query.search, per_page: limit })),
  )
  return Object.fromEntries(
    pages.map(({ data, meta }, index) => [kinds[index], { total: meta.total, records: data }]),
  )
}

function readScope(kind: SearchedKind): Scope {
  return SEARCHED_RESOURCES[kind].scopes.read
}
