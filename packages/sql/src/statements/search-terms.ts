import type { Condition, FieldCondition } from '@sales-crm/core/ports'
import type { Term, TermIndex } from '../dialect.ts'
import type { StoredRecord } from './table-shape.ts'

export type TermCondition = Extract<
  FieldCondition<StoredRecord>,
  { readonly hasTerm: string } | { readonly hasPrefix: string }
>

/** No workspace prefix starts like this, so it matches no row. */
const UNMATCHABLE: Term = { text: 'none', isPrefix: false }
/** Allowed characters among ASCII: the indexes would interpret others in their query syntax. */
const TERM = /^[a-z0-9_\u0080-\uffff]+$/
/** Maximum length of an indexed term, in UTF-16 units. */
const MAX_TERM_LENGTH = 400

export function isTermCondition(condition: Condition<StoredRecord>): condition is TermCondition {
  return 'hasTerm' in condition || 'hasPrefix' in condition
}

export function toTerms(conditions: readonly TermCondition[], workspaceId: string, index: TermIndex): Term[] {
  const prefix = index.workspacePrefix(workspaceId)
  return conditions.map((condition) => {
    const [text, isPrefix] = 'hasTerm' in condition ? [condition.hasTerm, false] : [condition.hasPrefix, true]
    return isIndexed(text) ? { text: prefix + text, isPrefix } : UNMATCHABLE
  })
}

/** One of several terms. */
export function toAnyTerm(terms: readonly string[], workspaceId: string, index: TermIndex): Term {
  const prefix = index.workspacePrefix(workspaceId)
  const expansions = terms.filter(isIndexed).map((term) => prefix + term)
  return expansions.length === 0 ? UNMATCHABLE : { text: '', isPrefix: false, expansions }
}

function isIndexed(term: string): boolean {
  return TERM.test(term) && term.length <= MAX_TERM_LENGTH
}
