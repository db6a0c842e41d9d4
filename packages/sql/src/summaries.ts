import type { GroupBy, Instant, Summary, SummaryQuery } from '@sales-crm/core/ports'
import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { Row } from './connection.ts'
import type { Dialect } from './dialect.ts'
import type { Query } from './pages.ts'
import type { Stored, TableShape } from './record-statements.ts'
import { arg } from './statement.ts'

/** Sums are taken of what stands above this many bits, and of what stands below, so that neither outgrows what a database adds up exactly. */
const BITS = 26
const LOW = 2 ** BITS - 1

type Asked = SummaryQuery<Stored>

/** What sets one statement apart from another. */
export function summaryKey({ by, sum, latest, order }: Asked): string {
  return [...by.map(({ field, month }) => (month ? `${field}:month` : field)), order, `sum:${sum}`, `latest:${latest}`].join(' ')
}

/** Each group as `key_0` and so on, `count`, `high` and `low` of its sum, and `latest`. */
export function summaryOf(from: Query, { where, by, sum, latest, order }: Asked, dialect: Dialect) {
  const keys = by.map((_, index) => `key_${index}`)
  const grouped = by.map((each) => keyed(each, dialect, where.length > 0))
  const columns = [
    ...grouped.map((key, index) => key.as(keys[index]!)),
    sql`count(*)`.as('count'),
    ...(sum === undefined
      ? []
      : [sql`sum(${sql.ref(sum)} >> ${sql.lit(BITS)})`.as('high'), sql`sum(${sql.ref(sum)} & ${sql.lit(LOW)})`.as('low')]),
    ...(latest === undefined ? [] : [sql`max(${sql.ref(latest)})`.as('latest')]),
  ]
  const size = order === 'sum' && sum !== undefined ? sql`sum(${sql.ref(sum)} * 1.0)` : sql`count(*)`
  let query = from.select(columns).orderBy(size, 'desc').limit(arg<number>('most'))
  for (const key of grouped) query = query.groupBy(key)
  for (const key of keys) query = query.orderBy(key, (way) => way.asc().nullsFirst())
  return query
}

/** @param narrowed whether rows are to be found by the conditions, and not in the order of the groups */
function keyed({ field, month }: GroupBy<Stored>, { monthOf, unplanned }: Dialect, narrowed: boolean): RawBuilder<unknown> {
  if (month) return sql`${monthOf(field)}`
  return narrowed && unplanned ? unplanned.unindexed(field) : sql`${sql.ref(field)}`
}

export function summaryIn(row: Row, { by, sum }: Asked, { kinds }: TableShape, { fromDriver }: Dialect): Summary {
  const keys = by.map(({ field, month }, index) => {
    const value = row[`key_${index}`]
    const decode = month || value === null ? undefined : fromDriver[kinds.get(field)!]
    return (decode ? decode(value) : value) as Summary['keys'][number]
  })
  return {
    keys,
    count: Number(row['count']),
    sum: sum === undefined ? 0n : BigInt((row['high'] ?? 0) as string) * 2n ** BigInt(BITS) + BigInt((row['low'] ?? 0) as string),
    latest: (row['latest'] ?? null) as Instant | null,
  }
}

/** One row, whose `median` is null where there is none: the mean of the one or two in the middle. */
export function medianSpanOf(from: Query, start: string, end: string, { span, compiler }: Dialect): Compilable {
  const both = from.where(start, 'is not', null).where(end, 'is not', null)
  const spans = both.select(sql`${span(start, end)}`.as('span'))
  const ranked = sql`select span, row_number() over (order by span) as nth, count(*) over () as total from (${spans}) as spans`
  const median = sql`select avg(span) as median from (${ranked}) as ranked where nth in ((total + 1) / 2, (total + 2) / 2)`
  return { compile: () => median.compile(compiler) }
}
