import type { CompletedTasksReport } from '@sales-crm/client'
import type { Month } from '../format/calendar.ts'

type Rows = CompletedTasksReport['rows']

export interface TypeCounts {
  /** Null for tasks without a type. */
  readonly id: string | null
  readonly title: string
  /** One for each month. */
  readonly counts: readonly number[]
  readonly total: number
}

/** How many tasks of each type were completed in each month, the type with most tasks first. */
export function countTypes(rows: Rows, months: readonly Month[]): readonly TypeCounts[] {
  return [...Map.groupBy(rows, ({ type }) => type?.id ?? null)]
    .map(([id, of]) => ({
      ...{ id, title: of[0]?.type?.title ?? '' },
      counts: months.map((month) => sumCounts(of.filter((row) => row.month === month))),
      total: sumCounts(of),
    }))
    .toSorted((a, b) => b.total - a.total)
}

/** How many tasks each member completed, in the form of an aggregate. */
export function countMembers(
  rows: Rows,
): readonly { readonly key: string | null; readonly name: string | null; readonly count: number }[] {
  return [...Map.groupBy(rows, ({ owner }) => owner?.id ?? null)].map(([key, of]) => ({
    ...{ key, name: of[0]?.owner?.email ?? null, count: sumCounts(of) },
  }))
}

function sumCounts(rows: Rows): number {
  return rows.reduce((total, { count }) => total + count, 0)
}
