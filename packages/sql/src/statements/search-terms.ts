import type { Condition } from '@sales-crm/core/ports'
import type { Term, TermIndex } from '../dialect.ts'

export type TermCondition<R> = Extract<
  Condition<R>,
  { readonly hasTerm: string } | { readonly hasPrefix: string }
>

/** No workspace's prefix begins like this, so that no row has it. */
const UNMATCHABLE: Term = { text: 'none', isPrefix: false }
/** What a word may hold, of ASCII: the indexes would read other characters their own way. */
const TERM = /^[a-z0-9_\u0080-\uffff]+$/
/** No longer word is kept, in UTF-16 units. */
const MAX_TERM_LENGTH = 400

export function isTermCondition<R>(condition: Condition<R>): condition is TermCondition<R> {
  return 'hasTerm' in condition || 'hasPrefix' in condition
}

/** The one question that all words conditions come to. */
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
