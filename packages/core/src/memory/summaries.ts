import type { GroupBy, Instant, Summary, SummaryQuery } from '../ports.ts'
import { compare } from './compare.ts'
import type { Row } from './table.ts'

type Key = Summary['keys'][number]

export function summaryOf(rows: readonly Row[], { by, sum, latest, order, most }: Omit<SummaryQuery<Row>, 'where'>): Summary[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(by.map((each) => keyOf(row, each))))
  if (by.length === 0 && rows.length === 0) groups.set('[]', [])
  const summaries = [...groups].map(([keys, members]) => ({
    keys: JSON.parse(keys) as Key[],
    count: members.length,
    sum: sum === undefined ? 0n : members.reduce((total, row) => total + BigInt(row[sum] as number), 0n),
    latest: latest === undefined ? null : latestOf(members.map((row) => row[latest] as Instant | null)),
  }))
  const size = (summary: Summary) => (order === 'sum' ? summary.sum : BigInt(summary.count))
  return summaries.sort((a, b) => Number(size(b) - size(a)) || compareKeys(a.keys, b.keys)).slice(0, most)
}

function keyOf(row: Row, { field, month }: GroupBy<Row>): Key {
  const value = row[field] as Key
  return month && value !== null ? String(value).slice(0, 'YYYY-MM'.length) : value
}

function latestOf(instants: readonly (Instant | null)[]): Instant | null {
  return instants.reduce((found, at) => (compare(at, found) > 0 ? at : found), null)
}

function compareKeys(a: readonly Key[], b: readonly Key[]): number {
  return a.reduce((found: number, key, index) => found || compare(key, b[index]), 0)
}

export function medianSpanOf(rows: readonly Row[], from: string, to: string): number | undefined {
  const both = rows.filter((row) => row[from] !== null && row[to] !== null)
  const spans = both.map((row) => Date.parse(String(row[to])) - Date.parse(String(row[from]))).sort((a, b) => a - b)
  const middle = (spans.length - 1) / 2
  return spans.length === 0 ? undefined : (spans[Math.floor(middle)]! + spans[Math.ceil(middle)]!) / 2
}
