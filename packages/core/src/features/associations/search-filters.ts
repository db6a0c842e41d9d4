import * as v from 'valibot'
import type { Filter } from '../../engine/list-query.ts'
import { extractTerms } from '../../engine/search-terms.ts'
import { uuid } from '../../kernel/field-schemas.ts'
import { singleLineText } from '../../kernel/text-schemas.ts'
import { listFacet, tagFacet, whereFacet } from '../../schema/facets.ts'
import { findTagId } from '../tags/tag.ts'

interface Searchable {
  readonly search_terms: string
}

/** A word of one letter matches nearly every record: each costs a pass over the index. */
const MAX_TERMS = 12

export const searchText = v.pipe(
  singleLineText(1, 200),
  v.transform((text) => dropPrefixes(extractTerms(text))),
  v.check((terms) => terms.length > 0, 'Must hold a letter or a digit.'),
  v.check((terms) => terms.length <= MAX_TERMS, `Must have at most ${MAX_TERMS} words.`),
)

/** Drops terms that are prefixes of other terms: they do not narrow the search. */
function dropPrefixes(terms: readonly string[]): string[] {
  return [...new Set(terms)].filter(
    (term, _, all) => !all.some((other) => other !== term && other.startsWith(term)),
  )
}

/** Matches records that have, for every search term, a word starting with it. Ignores case and accents. */
export function searchFilter<R extends Searchable>(): Filter<R, typeof searchText> {
  return {
    schema: searchText,
    conditions: async (terms) => terms.map((hasPrefix) => ({ field: 'search_terms', hasPrefix })),
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
export function searchFilters<R extends Searchable>() {
  return { search: searchFilter<R>(), tag: tagFilter<R>(), list_id: listFilter<R>() }
}
