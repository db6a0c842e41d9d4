import type { ListQuery } from '@sales-crm/core/ports'
import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from './dialect.ts'
import { arg } from './statement.ts'

export type Query = SelectQueryBuilder<Tables, string, Record<string, unknown>>
type Order = Pick<ListQuery<Readonly<Record<string, unknown>>>, 'order_by' | 'order'>

export function slice(query: Query): Query {
  return query.limit(arg<number>('limit')).offset(arg<number>('offset'))
}

export function inOrder(query: Query, { order_by, order }: Order, key: (column: string) => Expression<unknown> = sql.ref): Query {
  return query.orderBy(key(order_by), (by) => (order === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast())).orderBy(key('id'), order)
}
