import type { ListQuery, SortKey } from '@sales-crm/core/ports'
import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { type NamedValues, param } from './statement.ts'
import type { StoredRecord } from './table-shape.ts'

export type SelectQuery = SelectQueryBuilder<Tables, string, Record<string, unknown>>
/** The order of rows. */
export type Sort = SortKey<StoredRecord> & Pick<ListQuery<StoredRecord>, 'thenBy'>

/** The order of a page, and the columns that it leaves out. */
export type PageSort = Sort & Pick<ListQuery<StoredRecord>, 'omit'>

/** Pages of the same columns in the same order share a statement. */
export function pageKey({ omit = [], ...sort }: PageSort): string {
  const keys = listKeys(sort).map(
    ({ order_by, order, member }) => `${order_by} ${member?.type ?? ''} ${order}`,
  )
  return `${keys.join(' ')} -${omit.join('-')}`
}

/** The keys of an order without `id`. */
function listKeys({ thenBy, ...first }: Sort): readonly SortKey<StoredRecord>[] {
  return thenBy ? [first, thenBy] : [first]
}

/** The column by which alone rows are ordered, if there is one. */
export function findSortColumn({ order_by, member, thenBy }: Sort): string | undefined {
  return member || thenBy ? undefined : order_by
}

/** The columns that an order compares. */
export function listSortColumns(sort: Sort): readonly string[] {
  return listKeys(sort).map(({ order_by }) => order_by)
}

/** Values bound by the statements of an order. */
export function sortValues(sort: Sort): NamedValues {
  return Object.fromEntries(
    listKeys(sort).flatMap(({ member }, index) => (member ? [[memberParam(index), member.name]] : [])),
  )
}

function memberParam(index: number): string {
  return `sort_member_${index}`
}

/** The order that has the same rows backwards. */
export function reverseSort({ thenBy, ...sort }: PageSort): PageSort {
  const reverse = (order: Sort['order']) => (order === 'asc' ? 'desc' : 'asc')
  return {
    ...sort,
    order: reverse(sort.order),
    ...(thenBy && { thenBy: { ...thenBy, order: reverse(thenBy.order) } }),
  }
}

export function paginate(query: SelectQuery): SelectQuery {
  return query.limit(param<number>('limit')).offset(param<number>('offset'))
}

export function applySort(
  query: SelectQuery,
  sort: Sort,
  { jsonMember }: Pick<Dialect, 'jsonMember'>,
  columnRef: (column: string) => Expression<unknown> = sql.ref,
): SelectQuery {
  return listKeys(sort)
    .reduce((sorted, { order_by, order, member }, index) => {
      const column = columnRef(order_by)
      const key = member ? jsonMember(column, sql`${param(memberParam(index))}`, member.type) : column
      return sorted.orderBy(key, (by) => (order === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast()))
    }, query)
    .orderBy(columnRef('id'), sort.order)
}
