import type { AggregateQuery, AggregateRow, GroupBy, Instant } from '@sales-crm/core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Row } from '../driver.ts'
import type { SelectQuery } from './select-query.ts'
import { type NamedValues, param } from './statement.ts'
import type { StoredRecord, TableShape } from './table-shape.ts'

/**
 * Sums are computed separately above and below this bit, so that neither exceeds what a database adds
 * exactly.
 */
const LOW_BITS = 26
const LOW_MASK = 2 ** LOW_BITS - 1

type AggregateInput = AggregateQuery<StoredRecord>

/** The properties by which statements differ. */
export function aggregateKey({ groupBy: by, sum, latest, order }: AggregateInput): string {
  return [
    ...by.map(({ field, boundaries }) => (boundaries ? `${field}:${paddedSize(boundaries)}` : field)),
    order,
    `sum:${sum}`,
    `latest:${latest}`,
  ].join(' ')
}

/** Columns per group: `key_0` and so on, `count`, `high` and `low` of its sum, and `latest`. */
export function aggregateQuery(
  from: SelectQuery,
  { where, groupBy: by, sum, latest, order }: AggregateInput,
  dialect: Dialect,
) {
  const keys = by.map((_, index) => `key_${index}`)
  const groupKeys = by.map((group) => groupKey(group, dialect, where.length > 0))
  const columns = [
    ...groupKeys.map((key, index) => key.as(keys[index]!)),
    sql`count(*)`.as('count'),
    ...(sum === undefined ? [] : exactSum(sum)),
    ...(latest === undefined ? [] : [sql`max(${sql.ref(latest)})`.as('latest')]),
  ]
  const size = order === 'sum' && sum !== undefined ? sql`sum(${sql.ref(sum)} * 1.0)` : sql`count(*)`
  let query = from.select(columns).orderBy(size, 'desc').limit(param<number>('most'))
  // By name: a parameter that is bound twice has two numbers, and PostgreSQL takes them for different expressions.
  for (const key of keys) query = query.groupBy(key).orderBy(key, (direction) => direction.asc().nullsFirst())
  return query
}

/** The columns `high` and `low` of a sum. */
export function exactSum(column: string) {
  return [
    sql`sum(${sql.ref(column)} >> ${sql.lit(LOW_BITS)})`.as('high'),
    sql`sum(${sql.ref(column)} & ${sql.lit(LOW_MASK)})`.as('low'),
  ]
}

export function decodeExactSum({ high, low }: Row): bigint {
  return BigInt((high ?? 0) as string) * 2n ** BigInt(LOW_BITS) + BigInt((low ?? 0) as string)
}

/** @param isFiltered true if rows are found by the conditions and not in the order of the groups */
function groupKey(
  { field, boundaries }: GroupBy<StoredRecord>,
  { plannerHints }: Dialect,
  isFiltered: boolean,
): RawBuilder<unknown> {
  if (boundaries) {
    const count = countBoundaries(field, 0, paddedSize(boundaries))
    return sql`case when ${sql.ref(field)} is not null then ${count} end`
  }
  return isFiltered && plannerHints ? plannerHints.withoutIndex(field) : sql`${sql.ref(field)}`
}

/** Sizes are powers of two, so that there are few statements. The last boundary is repeated. */
function paddedSize({ length }: readonly Instant[]): number {
  return 2 ** Math.ceil(Math.log2(Math.max(length, 1)))
}

/** A binary search in the boundaries from `low` to before `high`. */
function countBoundaries(field: string, low: number, high: number): RawBuilder<unknown> {
  if (low === high) return sql`${sql.lit(low)}`
  const middle = (low + high) >> 1
  const isBefore = sql`${sql.ref(field)} < ${param(boundaryName(field, middle))}`
  return sql`case when ${isBefore} then ${countBoundaries(field, low, middle)} else ${countBoundaries(field, middle + 1, high)} end`
}

function boundaryName(field: string, index: number): string {
  return `${field}_boundary_${index}`
}

/** The values of the boundaries. */
export function boundaryValues(groupBy: AggregateInput['groupBy']): NamedValues {
  return Object.fromEntries(
    groupBy.flatMap(({ field, boundaries }) =>
      boundaries
        ? Array.from({ length: paddedSize(boundaries) }, (_, index) => [
            boundaryName(field, index),
            boundaries[index] ?? boundaries.at(-1) ?? LAST_INSTANT,
          ])
        : [],
    ),
  )
}

const LAST_INSTANT = '9999-12-31T23:59:59.999Z'

export function decodeAggregate(
  row: Row,
  { groupBy: by, sum }: AggregateInput,
  { kinds }: TableShape,
  { decoders }: Dialect,
): AggregateRow {
  const keys = by.map(({ field, boundaries }, index) => {
    const value = row[`key_${index}`]
    if (boundaries && value !== null) return Math.min(Number(value), boundaries.length)
    const decode = value === null ? undefined : decoders[kinds.get(field)!]
    return (decode ? decode(value) : value) as AggregateRow['keys'][number]
  })
  return {
    keys,
    count: Number(row['count']),
    sum: sum === undefined ? 0n : decodeExactSum(row),
    latest: (row['latest'] ?? null) as Instant | null,
  }
}

/** One row with the mean of the one or two middle values as `median`, or null without values. */
export function medianDurationQuery(
  from: SelectQuery,
  start: string,
  end: string,
  { durationMs }: Dialect,
): RawBuilder<unknown> {
  const completed = from.where(start, 'is not', null).where(end, 'is not', null)
  const durations = completed.select(sql`${durationMs(start, end)}`.as('span'))
  const ranked = sql`select span, row_number() over (order by span) as nth, count(*) over () as total from (${durations}) as spans`
  return sql`select avg(span) as median from (${ranked}) as ranked where nth in ((total + 1) / 2, (total + 2) / 2)`
}
