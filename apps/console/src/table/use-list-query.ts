import { useViewParams } from '../app/use-view-params.ts'
import { readSearch } from '../format/typed-text.ts'
import { useOwnerQuery } from '../reference/owner-query.ts'

export interface ListOrder<Order extends string = string> {
  readonly order_by: Order
  readonly order: 'asc' | 'desc'
}

/** The order that the address names, if the list has it. */
export function useListOrder<Order extends string>(
  orders: readonly Order[],
  fallback: ListOrder<Order>,
): ListOrder<Order> {
  const { params } = useViewParams()
  const order_by = orders.find((each) => each === params.get('sort'))
  if (order_by === undefined) return fallback
  return { order_by, order: params.get('order') === 'desc' ? 'desc' : 'asc' }
}

/** The search, owner, tag and list that the address names. */
export function useListFilters() {
  const { params } = useViewParams()
  const get = (name: string) => params.get(name) || undefined
  const filters = {
    search: readSearch(get('search')),
    tag: get('tag'),
    list_id: get('list'),
    ...useOwnerQuery(),
  }
  return {
    filters,
    isFiltered: Object.values(filters).some((value) => value !== undefined),
  }
}
