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

/** Alternatives that two indexes answer: all of some terms, or a link to one of some records. */
export interface TermsOrLink {
  /** The position of the condition. */
  readonly index: number
  readonly terms: readonly [TermCondition, ...TermCondition[]]
  readonly link: Extract<FieldCondition<StoredRecord>, { readonly oneOf: readonly string[] }>
}

/** Finds alternatives of terms or a link among conditions none of which is on terms: that one finds fewer rows. */
export function findTermsOrLink(where: readonly Condition<StoredRecord>[]): TermsOrLink | undefined {
  if (where.some(isTermCondition)) return undefined
  for (const [index, condition] of where.entries()) {
    if (!('anyOf' in condition) || condition.anyOf.length !== 2) continue
    const [words, link] = condition.anyOf as [Condition<StoredRecord>, Condition<StoredRecord>]
    if (!('oneOf' in link) || !('allOf' in words) || words.allOf.length === 0) continue
    if (!words.allOf.every(isTermCondition)) continue
    return { index, terms: words.allOf as unknown as TermsOrLink['terms'], link }
  }
  return undefined
}

/** The terms that the source of a query matches. */
export function listSourceTerms(where: readonly Condition<StoredRecord>[]): readonly TermCondition[] {
  return findTermsOrLink(where)?.terms ?? where.filter(isTermCondition)
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
