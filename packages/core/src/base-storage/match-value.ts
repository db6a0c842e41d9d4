import { foldText } from '../kernel/fold-text.ts'
import type { Comparison } from '../kernel/record-queries.ts'

type ValueMatcher = (value: unknown) => boolean

/** The matcher of a value of a field, or of a member of one; null if it is missing. */
export function toValueMatcher(comparison: Comparison | { readonly is: null }): ValueMatcher {
  if ('is' in comparison) return (value) => value === null
  if ('equalsText' in comparison) return textMatcher((text) => text === foldText(comparison.equalsText))
  if ('contains' in comparison) return textMatcher((text) => text.includes(foldText(comparison.contains)))
  if ('beginsWith' in comparison)
    return textMatcher((text) => text.startsWith(foldText(comparison.beginsWith)))
  if ('from' in comparison) return (value) => isAtLeast(value, comparison.from)
  return (value) => isAtLeast(comparison.to, value)
}

export function isComparison(condition: object): condition is Comparison {
  return ['from', 'to', 'equalsText', 'contains', 'beginsWith'].some((name) => name in condition)
}

function textMatcher(matches: (folded: string) => boolean): ValueMatcher {
  return (value) => typeof value === 'string' && matches(foldText(value))
}

function isAtLeast(value: unknown, bound: unknown): boolean {
  if (typeof value === 'number' && typeof bound === 'number') return value >= bound
  return typeof value === 'string' && typeof bound === 'string' && value >= bound
}
