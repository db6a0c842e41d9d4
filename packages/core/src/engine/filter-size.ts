import { MAX_CONDITIONS, type NamedCondition } from '../ports/index.ts'

/** What a query has besides its filters: the rule of what its reader sees, and what a use-case adds. */
const OTHER_CONDITIONS = 24

export const FILTER_SIZE_RULE = 'Must compare fewer values.'

/** True if a query has no room for the conditions of its filters. */
export function exceedsFilterSize(where: readonly NamedCondition[]): boolean {
  const count = where.reduce((sum, condition) => sum + countConditions(condition), 0)
  return count > MAX_CONDITIONS - OTHER_CONDITIONS
}

/** The number of conditions, those within others included. */
function countConditions(condition: NamedCondition): number {
  const sum = (parts: readonly NamedCondition[]) =>
    parts.reduce((count, part) => count + countConditions(part), 1)
  if ('anyOf' in condition) return sum(condition.anyOf)
  if ('allOf' in condition) return sum(condition.allOf)
  if ('not' in condition) return sum([condition.not])
  return 'whereRelated' in condition ? sum(condition.whereRelated.where) : 1
}
