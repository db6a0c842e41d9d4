import { isTermCondition } from '../statements/search-terms.ts'
import type { Conditions } from '../statements/table-shape.ts'

/**
 * Divides the rows of an `anyOf` into parts without a common row, so that each can be counted in the index of its field:
 * those of the first operand, those of the second without the first, and so on.
 * @returns undefined for conditions without an `anyOf` of fields, or with a term, whose index finds the rows
 */
export function divideAlternatives(where: Conditions): readonly Conditions[] | undefined {
  if (where.some(isTermCondition)) return undefined
  for (const condition of where) {
    if (!('anyOf' in condition) || condition.anyOf.length === 0) continue
    if (!condition.anyOf.every((operand) => 'field' in operand && !isTermCondition(operand))) continue
    const others = where.filter((each) => each !== condition)
    return condition.anyOf.map((operand, index) => [
      operand,
      ...others,
      ...condition.anyOf.slice(0, index).map((not) => ({ not })),
    ])
  }
  return undefined
}
