import * as v from 'valibot'
import { querySchema } from './engine/list-query.ts'
import { companies } from './features/companies/company.ts'
import { deals } from './features/deals/deal.ts'
import { people } from './features/people/person.ts'
import { products } from './features/products/product.ts'
import { tasks } from './features/tasks/task.ts'
import { filterInput } from './schema/filter-parameter.ts'
import type { FilteredKind } from './schema/saved-view.ts'

const FILTERED = { people, companies, deals, tasks, products }

/** The query of a list as a body, for filters that are too long for an address. */
export function listInput(kind: FilteredKind) {
  const { orderBy, filters, listOrder } = FILTERED[kind]
  const { entries } = querySchema<string, typeof filters>(orderBy, filters, listOrder)
  return v.object({ ...entries, filter: v.optional(filterInput) })
}
