import * as v from 'valibot'
import { querySchema } from './engine/list-query.ts'
import { FILTERED_RESOURCES } from './features/bulk-changes/bulk-kinds.ts'
import { filterInput } from './schema/filter-parameter.ts'
import type { FilteredKind } from './schema/saved-view.ts'

/** The query of a list as a body, for filters that are too long for an address. */
export function listInput(kind: FilteredKind) {
  const { orderBy, filters, listOrder } = FILTERED_RESOURCES[kind]
  const { entries } = querySchema<string, typeof filters>(orderBy, filters, listOrder)
  return v.object({ ...entries, filter: v.optional(filterInput) })
}
