import type { OwnCondition } from './base-storage.ts'
import type { AnyRecord } from './complete-store.ts'

type Matcher = (record: AnyRecord) => boolean

/**
 * Returns a function that tells whether a record meets all conditions, for stores that look at each record. Lists of
 * values are indexed once.
 */
export function createMatcher(where: readonly OwnCondition<AnyRecord>[]): Matcher {
  const matchers = where.map(toMatcher)
  return (record) => matchers.every((matches) => matches(record))
}

function toMatcher(condition: OwnCondition<AnyRecord>): Matcher {
  if ('anyOf' in condition) {
    const matchers = condition.anyOf.map(toMatcher)
    return (record) => matchers.some((matches) => matches(record))
  }
  if ('allOf' in condition) return createMatcher(condition.allOf)
  if ('not' in condition) {
    const matches = toMatcher(condition.not)
    return (record) => !matches(record)
  }
  const { field } = condition
  if ('is' in condition) return (record) => record[field] === condition.is
  const matchesText = toTextMatcher(condition)
  return (record) => record[field] !== null && matchesText(String(record[field]))
}

type TextCondition = Exclude<
  Extract<OwnCondition<AnyRecord>, { readonly field: string }>,
  { readonly is: unknown }
>

function toTextMatcher(condition: TextCondition): (text: string) => boolean {
  if ('oneOf' in condition) {
    const values = new Set(condition.oneOf)
    return (text) => values.has(text)
  }
  if ('hasTerm' in condition) return (text) => splitTerms(text).includes(condition.hasTerm)
  if ('hasAnyTerm' in condition) {
    const terms = new Set(condition.hasAnyTerm)
    return (text) => splitTerms(text).some((term) => terms.has(term))
  }
  if ('hasPrefix' in condition)
    return (text) => splitTerms(text).some((term) => term.startsWith(condition.hasPrefix))
  return 'from' in condition ? (text) => text >= condition.from : (text) => text <= condition.to
}

function splitTerms(text: string): string[] {
  return text === '' ? [] : text.split(' ')
}
