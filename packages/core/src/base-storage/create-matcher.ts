import type { MemberCondition } from '../kernel/record-queries.ts'
import type { OwnCondition } from './base-storage.ts'
import type { AnyRecord } from './complete-store.ts'
import { isComparison, toValueMatcher } from './match-value.ts'

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
  if ('isEmpty' in condition) return (record) => Object.keys(record[field] as object).length === 0
  if ('whereMember' in condition) {
    const matches = toMemberMatcher(condition.whereMember)
    return (record) => matches(record[field] as JsonObject)
  }
  if ('whereEntry' in condition) {
    const matches = toMemberMatcher(condition.whereEntry)
    return (record) => (record[field] as readonly JsonObject[]).some(matches)
  }
  if ('is' in condition) return (record) => record[field] === condition.is
  if ('oneOf' in condition) {
    const values = new Set<unknown>(condition.oneOf)
    return (record) => values.has(record[field])
  }
  if (isComparison(condition)) {
    const matches = toValueMatcher(condition)
    return (record) => matches(record[field])
  }
  const matches = toTermMatcher(condition)
  return (record) => matches(splitTerms(String(record[field])))
}

type JsonObject = Readonly<Record<string, unknown>>

function toMemberMatcher({ name, ...comparison }: MemberCondition): (object: JsonObject) => boolean {
  const matches = toValueMatcher(comparison)
  return (object) => matches(object[name] ?? null)
}

type TermCondition = Extract<
  OwnCondition<AnyRecord>,
  { readonly hasTerm: string } | { readonly hasAnyTerm: readonly string[] } | { readonly hasPrefix: string }
>

function toTermMatcher(condition: TermCondition): (terms: readonly string[]) => boolean {
  if ('hasTerm' in condition) return (terms) => terms.includes(condition.hasTerm)
  if ('hasPrefix' in condition) return (terms) => terms.some((term) => term.startsWith(condition.hasPrefix))
  const wanted = new Set(condition.hasAnyTerm)
  return (terms) => terms.some((term) => wanted.has(term))
}

function splitTerms(text: string): string[] {
  return text === '' ? [] : text.split(' ')
}
