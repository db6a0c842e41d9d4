import type { ListQuery } from '@sales-crm/core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect, Unplanned } from './dialect.ts'
import { inOrder, type Query, slice } from './pages.ts'
import { arg } from './statement.ts'

/** Fetching one row that matches is more work than this many steps of a walk over an index. */
const STEPS_PER_MATCH = 16

interface Walk {
  readonly table: string
  /** Its live rows. */
  readonly live: () => Query
  readonly order: ListQuery<never>['order']
  /** Whether the index is asked once for count and page, and its answer kept: worth it where the question is the greater work. */
  readonly once: boolean
}

/**
 * The `total` of rows that the index names for words, and the `keys` of those of the page, by creation, as a JSON array. The index names
 * rows in order of their keys, which are given as rows are added: so those it names first are the page, unless a row beyond them in the order of
 * creation has a key that comes after theirs. `keys` is null where there is one, or where to walk beyond them may be more work than to put in
 * order all that match. It is in the words of SQLite, the one database that is not left to plan it.
 */
export function nearWalk(
  { table, live, order, once }: Walk,
  { found, rowKey, unindexed }: Unplanned,
  { compiler: db, jsonArray }: Dialect,
): RawBuilder<unknown> {
  const way = WAYS[order]
  const by = { order_by: 'created_at', order } as const
  const [limit, offset, key] = [arg('limit'), arg('offset'), sql.ref(rowKey)]
  const edge = (column: string) => sql`(select ${sql.ref(column)} from edge)`
  const first = inOrder(live(), by).select(rowKey).limit(sql.lit(1))
  const beyond = live()
    .where('created_at', way.fromEdge, edge('created_at'))
    .where(sql<boolean>`${unindexed(rowKey)} ${sql.raw(way.named)} ${edge('key')}`)
    .where(sql<boolean>`(created_at, id) ${sql.raw(way.beyond)} (${edge('created_at')}, ${edge('id')})`)
  return sql`with ${found(table, once)},
    counted as materialized (select count(*) as total from found),
    named as materialized (select at from found order by at ${sql.raw(order)}
      limit (select case when total > ${offset} then ${offset} + ${limit} else 0 end from counted)),
    placed as materialized (select ${key} as key, created_at, id from ${sql.table(table)} where ${key} in (select at from named)),
    edge as materialized (select created_at, id, (select ${sql.raw(way.last)}(at) from named) as key from placed
      order by created_at ${sql.raw(way.back)}, id ${sql.raw(way.back)} limit 1)
    select total, case when total <= ${offset} + ${limit}
        or (abs(${edge('key')} - ${first}) <= total * ${sql.lit(STEPS_PER_MATCH)} and not exists ${beyond.select(sql.lit(1).as('one'))})
      then (select ${sql.raw(jsonArray)}(key) from ${slice(inOrder(db.selectFrom('placed') as unknown as Query, by)).select('key')}) end as keys
    from counted`
}

/** How rows beyond the edge of a page, which is the last of it, lie from there. */
const WAYS = {
  desc: { back: 'asc', last: 'min', fromEdge: '>=', beyond: '>', named: '<' },
  asc: { back: 'desc', last: 'max', fromEdge: '<=', beyond: '<', named: '>' },
} as const
