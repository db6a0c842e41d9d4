import type { Term } from '../dialect.ts'
import type { Row } from '../driver.ts'
import type { NamedValues } from '../statements/statement.ts'

/** Maximum number of terms that a prefix query is expanded to. Each term costs one lookup. */
const MAX_EXPANSIONS = 8

/**
 * Lists the terms of each prefix, if they are few.
 * @param queryExpansion finds the terms that begin with `prefix`, at most `most`
 */
export function expandTerms(
  terms: readonly Term[],
  queryExpansion: (values: NamedValues) => Promise<readonly Row[]>,
): Promise<Term[]> {
  return Promise.all(
    terms.map(async (term) => {
      if (!term.isPrefix) return term
      const rows = await queryExpansion({ prefix: term.text, most: MAX_EXPANSIONS + 1 })
      if (rows.length > MAX_EXPANSIONS) return term
      return { ...term, expansions: rows.map(({ word }) => String(word)) }
    }),
  )
}
