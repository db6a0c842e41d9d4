import type { Condition } from '@sales-crm/core/ports'
import { isIndexable } from '../statements/logical-conditions.ts'
import { isTermCondition } from '../statements/search-terms.ts'
import type { Conditions, StoredRecord } from '../statements/table-shape.ts'

/**
 * Divides the rows of an `anyOf` into parts without a common row, so that an index finds each: those of the first operand,
 * those of the second without the first, and so on.
 * @returns undefined unless it is the only condition, of owners, shares and links: what stands beside it may be in fewer rows
 */
export function divideAlternatives(where: Conditions): readonly Conditions[] | undefined {
  const [condition, ...others] = where
  if (!condition || !('anyOf' in condition) || others.length > 0 || condition.anyOf.length === 0)
    return undefined
  if (!condition.anyOf.every(isAnswered)) return undefined
  return condition.anyOf.map((operand, index) => [
    operand,
    ...condition.anyOf.slice(0, index).map((not) => ({ not })),
  ])
}

/** True for what the index of owners, the term index or those of links answer. */
function isAnswered(operand: Condition<StoredRecord>): boolean {
  if (!('field' in operand) || isTermCondition(operand)) return false
  return (
    operand.field === 'owner_user_id' ||
    'hasAnyTerm' in operand ||
    ('whereRelated' in operand && isIndexable(operand))
  )
}

/**
 * The owners whose rows are those of a part, null for nobody: the numbers of these rows are maintained.
 * @returns undefined if the part has other conditions
 */
export function findOwners([first, ...others]: Conditions): readonly (string | null)[] | undefined {
  const excluded = others.map((condition) => ('not' in condition ? ownersOf(condition.not) : undefined))
  const owners = first && ownersOf(first)
  if (!owners || excluded.includes(undefined)) return undefined
  return [...owners].filter((owner) => !excluded.some((each) => each!.has(owner)))
}

function ownersOf(condition: Condition<StoredRecord>): ReadonlySet<string | null> | undefined {
  if (!('field' in condition) || condition.field !== 'owner_user_id') return undefined
  if ('is' in condition) return new Set([condition.is as string | null])
  return 'oneOf' in condition ? new Set(condition.oneOf as readonly string[]) : undefined
}
