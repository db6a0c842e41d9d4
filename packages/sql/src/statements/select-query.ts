import type { ListQuery } from '@sales-crm/core/ports'
import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from '../dialect.ts'
import { param } from './statement.ts'

export type SelectQuery = SelectQueryBuilder<Tables, string, Record<string, unknown>>
type Sort = Pick<ListQuery<Readonly<Record<string, unknown>>>, 'order_by' | 'order'>

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
