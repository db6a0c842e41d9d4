import type { OwnCondition } from './base-storage.ts'
import type { AnyRecord } from './complete-store.ts'

/** True if a record meets a condition, for stores that look at each record. */
export function matchesCondition(record: AnyRecord, condition: OwnCondition<AnyRecord>): boolean {
  if ('anyOf' in condition) return condition.anyOf.some((each) => matchesCondition(record, each))
  if ('allOf' in condition) return condition.allOf.every((each) => matchesCondition(record, each))
  if ('not' in condition) return !matchesCondition(record, condition.not)
  const value = record[condition.field] as string | number | boolean | null
  if ('is' in condition) return value === condition.is
  if (value === null) return false
  if ('oneOf' in condition) return condition.oneOf.includes(String(value))
  if ('hasTerm' in condition) return splitTerms(value).includes(condition.hasTerm)
  if ('hasPrefix' in condition) return splitTerms(value).some((word) => word.startsWith(condition.hasPrefix))
  return 'from' in condition ? String(value) >= condition.from : String(value) <= condition.to
}

function splitTerms(value: unknown): string[] {
  return value === '' ? [] : String(value).split(' ')
}
