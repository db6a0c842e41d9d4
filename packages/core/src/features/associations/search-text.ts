import * as v from 'valibot'
import { extractTerms } from '../../engine/search-terms.ts'
import { singleLineText } from '../../kernel/text-schemas.ts'
import type { NamedCondition } from '../../ports/index.ts'

export type SearchedKind = 'people' | 'companies' | 'deals' | 'products' | 'tasks' | 'activities'

/** What is searched for: the text, and its words that narrow the search. */
export interface Search {
  readonly text: string
  readonly terms: readonly string[]
}

/** A word of one letter matches nearly every record: each costs a pass over the index. */
const MAX_TERMS = 12

export const searchText = v.pipe(
  singleLineText(1, 200),
  v.transform((text): Search => ({ text, terms: dropPrefixes(extractTerms(text)) })),
  v.check(({ terms }) => terms.length > 0, 'Must hold a letter or a digit.'),
  v.check(({ terms }) => terms.length <= MAX_TERMS, `Must have at most ${MAX_TERMS} words.`),
)

/** Drops terms that are prefixes of other terms: they do not narrow the search. */
function dropPrefixes(terms: readonly string[]): string[] {
  return [...new Set(terms)].filter(
    (term, _, all) => !all.some((other) => other !== term && other.startsWith(term)),
  )
}

/** Matches records that have, for every term, a word starting with it. */
export function whereWords(terms: readonly string[]): readonly NamedCondition[] {
  return terms.map((hasPrefix) => ({ field: 'search_terms', hasPrefix }))
}
