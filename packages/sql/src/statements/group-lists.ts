import type { GroupListQuery, GroupSection, GroupSum, RecordGroup } from '@sales-crm/core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Row } from '../driver.ts'
import { decodeExactSum, exactSum } from './aggregates.ts'
import { conditionsKey } from './conditions.ts'
import { listFieldConditions } from './logical-conditions.ts'
import { param } from './statement.ts'
import type { TableQueries } from './table-queries.ts'
import type { StoredRecord } from './table-shape.ts'

type GroupQuery = GroupListQuery<StoredRecord>

/** The properties by which statements differ. */
export function groupListKey({ groupBy, sum, sumBy, sections }: GroupQuery): string {
  const keys = sections.map(({ order_by, order, where }) => `${order_by} ${order} ${conditionsKey(where)}`)
  return [groupBy, sum, sumBy, ...keys].join(' / ')
}

/**
 * A row per group and value of `sumBy`, with the columns `key`, `sum_key`, `count`, `high` and `low`, and as
 * `first` a JSON array of the position and the id of each of the first records. The keys of the sections are bound
 * as `keys_0` and so on, and the values of their conditions as `section_0_0` and so on.
 */
export function groupListQuery(
  table: TableQueries,
  { where, groupBy, sum, sumBy, sections }: GroupQuery,
  indexColumn: string | undefined,
): RawBuilder<unknown> {
  const { dialect } = table
  const fields = sections.flatMap((section) => [
    section.order_by,
    ...listFieldConditions(section.where).map(({ field }) => field),
  ])
  const columns = [...new Set(['id', groupBy, sum, sumBy, ...fields])]
  const found = table.selectMatching(where, { indexColumn }).select(columns)
  const ranked = sections.map((section, index) => {
    const rows = table
      .filter(table.selectAll('found'), section.where, { prefix: `section_${index}` })
      .where(dialect.isInList(sql.ref(groupBy), table.kinds.get(groupBy)!, sql`${param(`keys_${index}`)}`))
    return sql`select * from ${rows.select(['id', groupBy, sum, sumBy, rankBy(section, groupBy)])} as section`
  })
  const totals = table
    .selectAll('ranked')
    .select([
      sql.ref(groupBy).as('key'),
      sql.ref(sumBy).as('sum_key'),
      sql`count(*)`.as('count'),
      ...exactSum(sum),
      sql`${sql.raw(dialect.jsonArrayAggregate)}(position || ' ' || id) filter (where position <= ${param('limit')})`.as(
        'first',
      ),
    ])
    .groupBy([groupBy, sumBy])
  return sql`with found as materialized ${found}, ranked as (${sql.join(ranked, sql` union all `)}) select * from ${totals} as totals`
}

/** The position of a row in its group, in the order of `applySort`. */
function rankBy({ order_by, order }: GroupSection<StoredRecord>, groupBy: string) {
  const direction = sql.raw(order === 'asc' ? 'asc nulls first' : 'desc nulls last')
  const sort = sql`${sql.ref(order_by)} ${direction}, id ${sql.raw(order)}`
  return sql`row_number() over (partition by ${sql.ref(groupBy)} order by ${sort})`.as('position')
}

/** The groups of a statement's rows, with the ids of their first records in order. */
export function decodeGroups(
  rows: readonly Row[],
  { decoders }: Dialect,
): (Pick<RecordGroup<StoredRecord>, 'key' | 'sums'> & { readonly ids: readonly string[] })[] {
  return [...Map.groupBy(rows, ({ key }) => String(key))].map(([key, totals]) => ({
    key,
    sums: totals.map(toGroupSum),
    ids: totals
      .flatMap(({ first }) => (first === null ? [] : ((decoders.json?.(first) ?? first) as string[])))
      .map((entry) => entry.split(' ') as [string, string])
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([, id]) => id),
  }))
}

function toGroupSum(row: Row): GroupSum {
  return { key: String(row['sum_key']), count: Number(row['count']), sum: decodeExactSum(row) }
}
