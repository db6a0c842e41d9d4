import type { ListQuery } from '@sales-crm/core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect, Unplanned } from './dialect.ts'
import { inOrder, type Query, slice } from './pages.ts'
import { arg } from './statement.ts'

/** Fetching one row that matches is more work than this many steps of a walk over an index. */
const STEPS_PER_MATCH = 4
/** How many times the expected distance is walked at most: matches lie closer together in one place than in another. */
const WALKED_BEYOND = 4

interface Walk {
  readonly table: string
  /** Its live rows. */
  readonly live: () => Query
  readonly order: ListQuery<never>['order']
  /** Whether the index is asked once for both, and its answer kept: worth it where the question is the greater work. */
  readonly once: boolean
}

/**
 * The `total` of rows that the index names for words, and the `keys` of those of the page, by creation, as a JSON array: as many as are
 * come by in few steps of a walk over the newest or oldest rows. Where many rows hold the words they are soon found on the way, and to put
 * all of them in order is much more work. Where they all lie at the other end, the walk ends in vain before it costs as much. It is in the
 * words of SQLite, the one database that is not left to plan it.
 */
export function nearWalk(
  { table, live, order, once }: Walk,
  { found, sizeOf, rowKey }: Unplanned,
  { compiler: db, jsonArray }: Dialect,
): RawBuilder<unknown> {
  const by = { order_by: 'created_at', order } as const
  const walked = inOrder(live(), by).select([sql.ref(rowKey).as('key'), 'created_at', 'id'])
  // With a sign before it the key is no way to find a row: the walk goes first.
  const near = (db.selectFrom(walked.limit(sql<number>`(select most from steps)`).as('walked')) as unknown as Query).where(
    sql<boolean>`+key in (select at from found)`,
  )
  const [limit, offset] = [arg('limit'), arg('offset')]
  const expected = sql`(${offset} + min(${limit}, total - ${offset})) * 1.0 * (${sizeOf(table)}) / total`
  const bound = sql`total * ${sql.lit(STEPS_PER_MATCH)}`
  return sql`with ${found(table, once)},
    counted as materialized (select count(*) as total from found),
    steps as materialized (select case when total <= ${offset} or ${expected} > ${bound} then 0
      else cast(min(${bound}, ${expected} * ${sql.lit(WALKED_BEYOND)}) as integer) end as most from counted)
    select (select total from counted) as total,
      (select ${sql.raw(jsonArray)}(key) from ${slice(inOrder(near, by)).select('key')}) as keys`
}
