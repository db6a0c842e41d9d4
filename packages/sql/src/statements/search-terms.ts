import type { Condition } from '@sales-crm/core/ports'
import type { Term, TermIndex } from '../dialect.ts'

export type TermCondition<R> = Extract<
  Condition<R>,
  { readonly hasTerm: string } | { readonly hasPrefix: string }
>

/** No workspace prefix starts like this, so it matches no row. */
const UNMATCHABLE: Term = { text: 'none', isPrefix: false }
/** Allowed characters among ASCII: the indexes would interpret others in their query syntax. */
const TERM = /^[a-z0-9_\u0080-\uffff]+$/
/** Maximum length of an indexed term, in UTF-16 units. */
const MAX_TERM_LENGTH = 400

export function isTermCondition<R>(condition: Condition<R>): condition is TermCondition<R> {
  return 'hasTerm' in condition || 'hasPrefix' in condition
}

/** The index query that combines all term conditions. */
export function buildMatchQuery<R>(
  conditions: readonly TermCondition<R>[],
  workspaceId: string,
  index: TermIndex,
): string {
  return index.buildMatchQuery(toTerms(conditions, workspaceId, index))
}

export function toTerms<R>(
  conditions: readonly TermCondition<R>[],
  workspaceId: string,
  index: TermIndex,
): Term[] {
  const prefix = index.workspacePrefix(workspaceId)
  return conditions.map((condition) => {
    const [text, isPrefix] = 'hasTerm' in condition ? [condition.hasTerm, false] : [condition.hasPrefix, true]
    return TERM.test(text) && text.length <= MAX_TERM_LENGTH ? { text: prefix + text, isPrefix } : UNMATCHABLE
  })
}
