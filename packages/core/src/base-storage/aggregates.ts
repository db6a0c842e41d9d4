import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type {
  AggregateQuery,
  AggregateRow,
  GroupBy,
  GroupListQuery,
  RecordGroup,
} from '../kernel/record-queries.ts'
import { compare } from './compare.ts'

type Key = AggregateRow['keys'][number]

export function aggregateRecords<R extends RecordBase>(
  rows: readonly R[],
  { groupBy, sum, latest, order, limit }: Omit<AggregateQuery<R>, 'where'>,
): AggregateRow[] {
  const groups = Map.groupBy(rows, (row) =>
    JSON.stringify(groupBy.map((grouping) => groupKey(row, grouping))),
  )
  if (groupBy.length === 0 && rows.length === 0) groups.set('[]', [])
  const summaries = [...groups].map(([keys, members]) => ({
    keys: JSON.parse(keys) as Key[],
    count: members.length,
    sum: sum === undefined ? 0n : members.reduce((total, row) => total + BigInt(row[sum] as number), 0n),
    latest: latest === undefined ? null : maxInstant(members.map((row) => row[latest] as Instant | null)),
  }))
  const size = (summary: AggregateRow) => (order === 'sum' ? summary.sum : BigInt(summary.count))
  return summaries.sort((a, b) => Number(size(b) - size(a)) || compareKeys(a.keys, b.keys)).slice(0, limit)
}

function groupKey<R>(row: R, { field, boundaries }: GroupBy<R>): Key {
  const value = row[field] as Key
  return boundaries && value !== null ? countBoundaries(boundaries, String(value)) : value
}

/** The number of sorted boundaries that are not after an instant. */
function countBoundaries(boundaries: readonly Instant[], at: Instant): number {
  let [low, high] = [0, boundaries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (boundaries[middle]! <= at) low = middle + 1
    else high = middle
  }
  return low
}

function maxInstant(instants: readonly (Instant | null)[]): Instant | null {
  return instants.reduce((greatest, at) => (compare(at, greatest) > 0 ? at : greatest), null)
}

function compareKeys(a: readonly Key[], b: readonly Key[]): number {
  return a.reduce((greatest: number, key, index) => greatest || compare(key, b[index]), 0)
}

export function computeMedianDuration<R>(rows: readonly R[], from: keyof R, to: keyof R): number | undefined {
  const complete = rows.filter((row) => row[from] !== null && row[to] !== null)
  const durations = complete
    .map((row) => Date.parse(String(row[to])) - Date.parse(String(row[from])))
    .sort((a, b) => a - b)
  const middle = (durations.length - 1) / 2
  return durations.length === 0
    ? undefined
    : (durations[Math.floor(middle)]! + durations[Math.ceil(middle)]!) / 2
}

/** @param rows the matching records in order */
export function groupRecords<R extends RecordBase>(
  rows: readonly R[],
  keys: readonly string[],
  { groupBy, limit, sum, sumBy }: Pick<GroupListQuery<R>, 'groupBy' | 'limit' | 'sum' | 'sumBy'>,
): RecordGroup<R>[] {
  const groups = Map.groupBy(rows, (row) => String(row[groupBy]))
  return [...groups]
    .filter(([key]) => keys.includes(key))
    .map(([key, members]) => {
      const totals = aggregateRecords(members, {
        groupBy: [{ field: sumBy }],
        sum,
        order: 'count',
        limit: members.length,
      })
      const sums = totals.map((total) => ({ key: String(total.keys[0]), count: total.count, sum: total.sum }))
      return { key, rows: members.slice(0, limit), sums }
    })
}
