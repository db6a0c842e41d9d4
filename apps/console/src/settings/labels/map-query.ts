import type { UseQueryResult } from '@tanstack/react-query'
import type { Label } from './label.ts'

/** The result of a query with its records as labels. */
export function mapQuery<Item>(
  query: UseQueryResult<readonly Item[]>,
  toLabels: (records: readonly Item[]) => readonly Label[],
): UseQueryResult<readonly Label[]> {
  return { ...query, data: query.data && toLabels(query.data) } as UseQueryResult<readonly Label[]>
}
