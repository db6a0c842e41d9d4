import type { ListOrder } from '../../engine/list-query.ts'
import type { Resource } from '../../engine/resource.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { FilteredKind } from '../../schema/saved-view.ts'
import { companies } from '../companies/company.ts'
import { deals } from '../deals/deal.ts'
import { people } from '../people/person.ts'
import { products } from '../products/product.ts'
import { tasks } from '../tasks/task.ts'

/** The kinds whose lists are filtered by any field. */
export const FILTERED_RESOURCES = { people, companies, deals, tasks, products }

/** What bulk changes use of a kind. */
export type BulkResource = Resource<RecordBase> & { readonly listOrder?: ListOrder }

export function resourceOf(kind: FilteredKind): BulkResource {
  return FILTERED_RESOURCES[kind] as unknown as BulkResource
}
