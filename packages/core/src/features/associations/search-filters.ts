import type { Filter } from '../../engine/list-query.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import { uuid } from '../../kernel/field-schemas.ts'
import { singleLineText } from '../../kernel/text-schemas.ts'
import type { Condition } from '../../ports/index.ts'
import { listFacet, tagFacet, whereFacet } from '../../schema/facets.ts'
import { findTagId } from '../tags/tag.ts'
import { findExactMatch } from './exact-matches.ts'
import { type Search, type SearchedKind, searchText, whereWords } from './search-text.ts'

interface Searchable {
  readonly search_terms: string
}

/**
 * The conditions of a search: those of a public code or a whole phone number, if it is that of a record, and else of words.
 * A record matches if it has, for every word, one that starts with it, whatever the case and the accents.
 */
export async function buildSearch<R extends Searchable>(
  kind: SearchedKind,
  search: Search,
  transaction: ViewTransaction,
): Promise<readonly Condition<R>[]> {
  const exact = await findExactMatch(kind, search, transaction)
  return (exact ? [exact] : whereWords(search.terms)) as readonly Condition<R>[]
}

export function searchFilter<R extends Searchable>(kind: SearchedKind): Filter<R, typeof searchText> {
  return {
    schema: searchText,
    conditions: (search, transaction) => buildSearch(kind, search, transaction),
  }
}

const tagName = singleLineText(1, 60)

/** Filters by the id or the key of a tag. */
function tagFilter<R extends Searchable>(): Filter<R, typeof tagName> {
  return {
    schema: tagName,
    async conditions(name, transaction) {
      const id = await findTagId(name, transaction)
      return id === undefined ? undefined : [whereFacet(tagFacet(id))]
    },
  }
}

function listFilter<R extends Searchable>(): Filter<R, typeof uuid> {
  return {
    schema: uuid,
    async conditions(id, { stores }) {
      const list = await stores.lists.get(id)
      return list && [whereFacet(listFacet(list.id))]
    },
  }
}

/** Filters of the kinds of records with search terms, tags and lists. */
export function searchFilters<R extends Searchable>(kind: SearchedKind) {
  return { search: searchFilter<R>(kind), tag: tagFilter<R>(), list_id: listFilter<R>() }
}
