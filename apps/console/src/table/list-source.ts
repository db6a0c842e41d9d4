import type { FilterCondition, FilterTree, PageMeta } from '@sales-crm/client'
import { parseFilter, toFilter, toTree } from '../filters/filter.ts'
import type { ListOrder } from './use-list-query.ts'

export const PAGE_SIZE = 100

export interface RowsPage<Row> {
  readonly data: readonly Row[]
  readonly meta: PageMeta
}

/** Where the rows of a table are read. */
export interface RowsSource<Row> {
  readonly queryKey: readonly unknown[]
  /** The order of the rows, which the head shows. */
  readonly order: ListOrder
  readonly fetchPage: (page: number, signal: AbortSignal) => Promise<RowsPage<Row>>
  /** The source of those rows that fulfil another condition. */
  readonly within: (condition: FilterCondition) => RowsSource<Row>
}

type FilterText = string | FilterTree | undefined
type ReadPage<Row, Query> = (
  query: Query & { readonly page: number; readonly per_page: number },
  options: { readonly signal: AbortSignal },
) => PromiseLike<RowsPage<Row>>

/** The rows of a list of the API. */
export function listSource<Row, Query extends { readonly filter?: FilterText }>(
  kind: string,
  query: Query,
  order: ListOrder,
  read: ReadPage<Row, Query>,
): RowsSource<Row> {
  return {
    queryKey: [kind, 'list', query],
    order,
    fetchPage: async (page, signal) => await read({ ...query, page, per_page: PAGE_SIZE }, { signal }),
    within: (condition) =>
      listSource(kind, { ...query, filter: narrowFilter(query.filter, condition) }, order, read),
  }
}

/** The filter of the rows that fulfil a filter and a condition. */
export function narrowFilter(filter: FilterText, condition: FilterCondition): string {
  const { join, parts } = typeof filter === 'object' ? toFilter(filter) : parseFilter(filter)
  const rest = join === 'or' && parts.length > 0 ? [toTree({ join, parts })!] : parts
  return JSON.stringify({ and: [...rest, condition] })
}
