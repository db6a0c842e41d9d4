import type { Condition } from '@sales-crm/core/ports'
import type { Term, WordsIndex } from './dialect.ts'

export type WordsCondition<R> = Extract<Condition<R>, { readonly holds: string } | { readonly begins: string }>

/** No workspace's prefix begins like this, so that no row has it. */
const NO_WORD: Term = { word: 'none', begins: false }
/** What a word may hold, of ASCII: the indexes would read other characters their own way. */
const WORD = /^[a-z0-9_\u0080-\uffff]+$/
/** No longer word is kept, in UTF-16 units. */
const LONGEST = 400

export function asksWords<R>(condition: Condition<R>): condition is WordsCondition<R> {
  return 'holds' in condition || 'begins' in condition
}

/** The one question that all words conditions come to. */
export function questionOf<R>(conditions: readonly WordsCondition<R>[], workspaceId: string, index: WordsIndex): string {
  return index.question(termsOf(conditions, workspaceId, index))
}

export function termsOf<R>(conditions: readonly WordsCondition<R>[], workspaceId: string, index: WordsIndex): Term[] {
  const prefix = index.prefixOf(workspaceId)
  return conditions.map((condition) => {
    const [word, begins] = 'holds' in condition ? [condition.holds, false] : [condition.begins, true]
    return WORD.test(word) && word.length <= LONGEST ? { word: prefix + word, begins } : NO_WORD
  })
}
