import type { ListQuery } from '@sales-crm/core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect, PlannerHints } from '../dialect.ts'
import { paginate, type SelectQuery } from '../statements/select-query.ts'
import { applySort } from '../statements/sort.ts'
import { param } from '../statements/statement.ts'

/** Reading one matching row is more work than this many steps of an index scan. */
const STEPS_PER_MATCH = 16

interface TokenScan {
  readonly table: string
  /** The live rows of the table. */
  readonly selectLive: () => SelectQuery
  readonly order: ListQuery<never>['order']
  /**
   * True if the index is queried once for count and page, with a materialized result: worthwhile if the index
   * query is the larger part of the work.
   */
  readonly isMaterialized: boolean
}

/**
 * The `total` of rows that match an index query, and the `keys` of a page by creation as a JSON array. The
 * index returns rows in key order, and keys are assigned at insertion: the first rows are the page, unless a
 * row beyond them in creation order has a larger key. `keys` is null if such a row exists, or if a scan for
 * it may be more work than sorting all matches. Written for SQLite, the only database whose planner is not
 * trusted with this.
 */
export function tokenScan(
  { table, selectLive, order, isMaterialized }: TokenScan,
  { matchesCte, rowKey, withoutIndex }: PlannerHints,
  dialect: Dialect,
): RawBuilder<unknown> {
  const { compiler: db, jsonArrayAggregate } = dialect
  const direction = DIRECTIONS[order]
  const sort = { order_by: 'created_at', order } as const
  const [limit, offset, key] = [param('limit'), param('offset'), sql.ref(rowKey)]
  const edge = (column: string) => sql`(select ${sql.ref(column)} from edge)`
  const first = applySort(selectLive(), sort, { dialect, source: table }).select(rowKey).limit(sql.lit(1))
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
      then (select ${sql.raw(jsonArrayAggregate)}(key) from ${paginate(applySort(db.selectFrom('placed') as unknown as SelectQuery, sort, { dialect, source: 'placed' })).select('key')}) end as keys
    from counted`
}

/** Comparison operators for rows beyond the last row of a page. */
const DIRECTIONS = {
  desc: { reverseOrder: 'asc', edgeAggregate: 'min', sinceEdge: '>=', afterEdge: '>', afterKey: '<' },
  asc: { reverseOrder: 'desc', edgeAggregate: 'max', sinceEdge: '<=', afterEdge: '<', afterKey: '>' },
} as const
