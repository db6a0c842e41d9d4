import { useViewParams } from '../app/use-view-params.ts'
import { type KindFields, listOrders } from '../fields/field.ts'
import { KIND_FIELDS } from '../fields/kind-fields.ts'
import { useFilterQuery } from '../filters/use-filter-query.ts'
import { readSearch } from '../format/typed-text.ts'
import { fieldsOfKind } from '../records/facts/fields-of-kind.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { useOwnerQuery } from '../reference/owner-query.ts'
import { useMenu } from '../reference/queries.ts'
import { readOrder } from './list-order.ts'

/** One or two fields and their directions, as lists take them. */
export interface ListOrder {
  readonly order_by: string
  readonly order: string
}

/** The order that the address names, if the list has it. */
export function useListOrder(kind: CreatableKind, fallback: ListOrder) {
  const { params } = useViewParams()
  const customFields = useMenu('customFields')
  const names = [
    ...listOrders(KIND_FIELDS[kind] as KindFields<never>),
    ...fieldsOfKind(customFields.data ?? [], kind).map(({ key }) => `custom_fields.${key}`),
  ]
  const order = readOrder(params, names) ?? fallback
  // The API takes any field; its types name those of each kind.
  return order as { readonly order_by: `${string},${string}`; readonly order: 'asc' | 'desc' }
}

/** The search, owner, tag and list that the address names. */
export function useListFilters() {
  const { params } = useViewParams()
  const get = (name: string) => params.get(name) || undefined
  const filters = {
    search: readSearch(get('search')),
    tag: get('tag'),
    list_id: get('list'),
    filter: useFilterQuery(),
    ...useOwnerQuery(),
  }
  return {
    filters,
    isFiltered: Object.values(filters).some((value) => value !== undefined),
  }
}
