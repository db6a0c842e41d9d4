import type { ListQuery } from '@sales-crm/core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect, PlannerHints } from '../dialect.ts'
import { applySort, paginate, type SelectQuery } from './select-query.ts'
import { param } from './statement.ts'

/** Fetching one row that matches is more work than this many steps of a walk over an index. */
const STEPS_PER_MATCH = 16

interface TokenScan {
  readonly table: string
  /** Its live rows. */
  readonly selectLive: () => SelectQuery
  readonly order: ListQuery<never>['order']
  /**
   * Whether the index is asked once for count and page, and its answer kept: worth it where the question is
   * the greater work.
   */
  readonly isMaterialized: boolean
}

/**
 * The `total` of rows that the index names for words, and the `keys` of those of the page, by creation, as a
 * JSON array. The index names rows in order of their keys, which are given as rows are added: so those it
 * names first are the page, unless a row beyond them in the order of creation has a key that comes after
 * theirs. `keys` is null where there is one, or where to walk beyond them may be more work than to put in
 * order all that match. It is in the words of SQLite, the one database that is not left to plan it.
 */
export function tokenScan(
  { table, selectLive, order, isMaterialized }: TokenScan,
  { matchesCte, rowKey, withoutIndex }: PlannerHints,
  { compiler: db, jsonArrayAggregate }: Dialect,
): RawBuilder<unknown> {
  const direction = DIRECTIONS[order]
  const sort = { order_by: 'created_at', order } as const
  const [limit, offset, key] = [param('limit'), param('offset'), sql.ref(rowKey)]
  const edge = (column: string) => sql`(select ${sql.ref(column)} from edge)`
  const first = applySort(selectLive(), sort).select(rowKey).limit(sql.lit(1))
  const rowsBeyondEdge = selectLive()
    .where('created_at', direction.sinceEdge, edge('created_at'))
    .where(sql<boolean>`${withoutIndex(rowKey)} ${sql.raw(direction.afterKey)} ${edge('key')}`)
    .where(
      sql<boolean>`(created_at, id) ${sql.raw(direction.afterEdge)} (${edge('created_at')}, ${edge('id')})`,
    )
  return sql`with ${matchesCte(table, isMaterialized)},
    counted as materialized (select count(*) as total from found),
    named as materialized (select at from found order by at ${sql.raw(order)}
      limit (select case when total > ${offset} then ${offset} + ${limit} else 0 end from counted)),
    placed as materialized (select ${key} as key, created_at, id from ${sql.table(table)} where ${key} in (select at from named)),
    edge as materialized (select created_at, id, (select ${sql.raw(direction.edgeAggregate)}(at) from named) as key from placed
      order by created_at ${sql.raw(direction.reverseOrder)}, id ${sql.raw(direction.reverseOrder)} limit 1)
    select total, case when total <= ${offset} + ${limit}
        or (abs(${edge('key')} - ${first}) <= total * ${sql.lit(STEPS_PER_MATCH)} and not exists ${rowsBeyondEdge.select(sql.lit(1).as('one'))})
      then (select ${sql.raw(jsonArrayAggregate)}(key) from ${paginate(applySort(db.selectFrom('placed') as unknown as SelectQuery, sort)).select('key')}) end as keys
    from counted`
}

/** How rows beyond the edge of a page, which is the last of it, lie from there. */
const DIRECTIONS = {
  desc: { reverseOrder: 'asc', edgeAggregate: 'min', sinceEdge: '>=', afterEdge: '>', afterKey: '<' },
  asc: { reverseOrder: 'desc', edgeAggregate: 'max', sinceEdge: '<=', afterEdge: '<', afterKey: '>' },
} as const
