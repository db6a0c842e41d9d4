import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { FIRST_INSTANT } from '../../kernel/instant.ts'
import { type Month, startOfMonth } from '../../kernel/time-zone.ts'
import { type Condition, type Instant, MAX_BOUNDARIES, type RecordStore } from '../../ports/index.ts'
import type { AnyRecord } from './aggregate-input.ts'

/** Months with their first instants, in ascending order. Of each month with records, both ends are among them. */
export interface MonthBoundaries {
  readonly months: readonly Month[]
  readonly starts: readonly Instant[]
}

/** The first years of intervals that together cover every instant: years near the present, centuries otherwise. */
const INTERVALS = listIntervals()

function listIntervals(): readonly number[] {
  const years: number[] = []
  for (let year = 100; year < 10_000; year += year >= 1900 && year < 2100 ? 1 : 100) years.push(year)
  return [1, ...years]
}

/**
 * Lists the months of the workspace's time zone in which records may be. Reads which years have records first: one date
 * of another millennium must not make every month since then a group.
 */
export async function loadMonthBoundaries(
  store: Pick<RecordStore<AnyRecord>, 'aggregate'>,
  field: string,
  where: readonly Condition<AnyRecord>[],
  { workspaceId, shared }: Pick<WorkspaceTransaction, 'workspaceId' | 'shared'>,
): Promise<MonthBoundaries> {
  const [workspace, intervals] = await Promise.all([
    shared.workspaces.get(workspaceId),
    store.aggregate({
      where,
      groupBy: [{ field, boundaries: INTERVALS.map((year) => `${toYear(year)}-01-01T00:00:00.000Z`) }],
      order: 'count',
      limit: INTERVALS.length,
    }),
  ])
  const months = new Set<Month>()
  for (const { keys } of intervals) {
    const [key] = keys
    if (typeof key !== 'number') continue
    const [first, end] = [INTERVALS[key - 1]!, INTERVALS[key] ?? 10_000]
    // A month of the zone begins up to a day before or after that of UTC.
    const added = listMonths(first * 12 - 1, Math.min(end * 12, 10_000 * 12 - 1))
    if (months.size + added.length > MAX_BOUNDARIES) break
    for (const month of added) months.add(month)
  }
  const sorted = [...months].sort()
  const timeZone = workspace?.time_zone ?? 'UTC'
  const starts = sorted.map((month) => {
    const start = startOfMonth(month, timeZone)
    return start < FIRST_INSTANT ? FIRST_INSTANT : start
  })
  return { months: sorted, starts }
}

/** @param first months since the year 0 @param last inclusive */
function listMonths(first: number, last: number): readonly Month[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const month = first + index
    return `${toYear(Math.floor(month / 12))}-${String((month % 12) + 1).padStart(2, '0')}`
  })
}

function toYear(year: number): string {
  return String(year).padStart(4, '0')
}
