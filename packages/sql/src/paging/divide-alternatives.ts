import { isTermCondition } from '../statements/search-terms.ts'
import type { Conditions } from '../statements/table-shape.ts'

/**
 * Divides the rows of an `anyOf` into parts without a common row, so that an index finds each: those of the first operand,
 * those of the second without the first, and so on.
 * @returns undefined unless it is the only condition, of fields: what stands beside it may be in fewer rows
 */
export function divideAlternatives(where: Conditions): readonly Conditions[] | undefined {
  const [condition, ...others] = where
  if (!condition || !('anyOf' in condition) || others.length > 0 || condition.anyOf.length === 0)
    return undefined
  if (!condition.anyOf.every((operand) => 'field' in operand && !isTermCondition(operand))) return undefined
  return condition.anyOf.map((operand, index) => [
    operand,
    ...condition.anyOf.slice(0, index).map((not) => ({ not })),
  ])
}
