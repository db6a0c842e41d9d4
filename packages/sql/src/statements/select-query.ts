import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from '../dialect.ts'
import { param } from './statement.ts'

export type SelectQuery = SelectQueryBuilder<Tables, string, Record<string, unknown>>

export function paginate(query: SelectQuery): SelectQuery {
  return query.limit(param<number>('limit')).offset(param<number>('offset'))
}
