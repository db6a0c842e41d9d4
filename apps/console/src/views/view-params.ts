import type { View } from '@sales-crm/client'
import { formatFilter, toFilter } from '../filters/filter.ts'

export type ViewParams = Readonly<Record<string, string | undefined>>
type ShownView = Pick<View, 'filter' | 'order_by' | 'order' | 'group_by' | 'columns'>

/** What a saved view says, by the names in the address. */
const SAVED = ['filter', 'sort', 'order', 'group', 'columns'] as const
/** In the address, in place of what a view has and the page does not. */
const NONE = '-'

/** The parameters of the address of a view, without its id. */
export function paramsOf({ filter, order_by, order, group_by, columns }: ShownView): ViewParams {
  return {
    filter: formatFilter(toFilter(filter)),
    sort: order_by ?? undefined,
    order: order_by === null ? undefined : order,
    group: group_by ?? undefined,
    columns: columns?.join(),
  }
}

/** What the address says, and for the rest its saved view. */
export function mergeParams(own: URLSearchParams, view: ShownView | undefined): URLSearchParams {
  const params = new URLSearchParams(own)
  const saved = view ? paramsOf(view) : {}
  for (const name of SAVED) {
    const value = saved[name]
    if (own.get(name) === NONE) params.delete(name)
    else if (!own.has(name) && value !== undefined) params.set(name, value)
  }
  return params
}

/** What the address holds for a changed parameter: nothing for what the view says, too. */
export function readOwnChange(
  name: string,
  value: string | undefined,
  view: ShownView | undefined,
): string | undefined {
  const saved = view && SAVED.some((each) => each === name) ? paramsOf(view)[name] : undefined
  if (value === undefined || value === '') return saved === undefined ? undefined : NONE
  return value === saved ? undefined : value
}

/** True if the page differs from its view: the address then has more than its id. */
export function isChanged(own: URLSearchParams): boolean {
  return SAVED.some((name) => own.has(name))
}
