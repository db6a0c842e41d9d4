import type { ListQuery } from '@sales-crm/core/ports'
import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from '../dialect.ts'
import { param } from './statement.ts'

export type SelectQuery = SelectQueryBuilder<Tables, string, Record<string, unknown>>
type Sort = Pick<ListQuery<Readonly<Record<string, unknown>>>, 'order_by' | 'order'>

/** The order of a page, and the columns that it leaves out. */
export type PageSort = Sort & Pick<ListQuery<Readonly<Record<string, unknown>>>, 'omit'>

/** Pages of the same columns in the same order share a statement. */
export function pageKey({ order_by, order, omit = [] }: PageSort): string {
  return `${order_by} ${order} -${omit.join('-')}`
}

export function paginate(query: SelectQuery): SelectQuery {
  return query.limit(param<number>('limit')).offset(param<number>('offset'))
}

export function applySort(
  query: SelectQuery,
  { order_by, order }: Sort,
  columnRef: (column: string) => Expression<unknown> = sql.ref,
): SelectQuery {
  return query
    .orderBy(columnRef(order_by), (by) => (order === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast()))
    .orderBy(columnRef('id'), order)
}
