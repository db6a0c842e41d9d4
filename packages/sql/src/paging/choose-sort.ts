import { isOnField } from '../statements/logical-conditions.ts'
import { isTermCondition } from '../statements/search-terms.ts'
import type { Conditions } from '../statements/table-shape.ts'
import { hasIndexedOrder } from './indexed-orders.ts'

/** Where the matches of a list are found. */
interface MatchSource {
  readonly table: string
  /** The only column whose index finds them. */
  readonly indexColumn: string | undefined
}

/**
 * Returns true if collecting the matches and sorting them is less work than a scan in sort order, false if it is more,
 * and undefined if that depends on how many rows match: if most do, a scan until the page is full is less work, and never
 * much more. If an index has the matches in sort order, there is nothing to sort.
 * @param orderBy undefined if rows are not ordered by one column alone
 */
export function chooseSort(
  where: Conditions,
  orderBy: string | undefined,
  { table, indexColumn }: MatchSource,
): boolean | undefined {
  if (orderBy === undefined || where.some(isTermCondition)) return true
  if (where.every((condition) => isOnField(condition, orderBy))) return false
  const [first, ...others] = where
  if (first && 'is' in first && others.length === 0 && hasIndexedOrder(table, first.field, orderBy))
    return false
  return indexColumn === undefined ? undefined : true
}
