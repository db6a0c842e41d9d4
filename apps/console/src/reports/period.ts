import { addMonths, type Calendar, instantBefore, listMonths, type Month } from '../format/calendar.ts'

export const PERIODS = ['6-months', 'quarter', 'year', '12-months'] as const
export type PeriodName = (typeof PERIODS)[number]
export const DEFAULT_PERIOD: PeriodName = '6-months'

/** Whole months of the workspace, as the service groups them. */
export interface MonthRange {
  readonly first: Month
  readonly last: Month
  readonly from: string
  /** Inclusive. */
  readonly to: string
}

export interface Period extends MonthRange {
  readonly months: readonly Month[]
  /** The same months before: a year or a quarter earlier, or those that precede. */
  readonly previous: MonthRange
}

export function readPeriod(value: string | null): PeriodName {
  return PERIODS.find((name) => name === value) ?? DEFAULT_PERIOD
}

/** Returns the months of a period up to the present one. */
export function buildPeriod(name: PeriodName, now: Date, calendar: Calendar): Period {
  const last = calendar.monthOf(now)
  const first = firstMonth(name, last)
  const shift = -SHIFTS[name]
  return {
    ...buildRange(first, last, calendar),
    months: listMonths(first, last),
    previous: buildRange(addMonths(first, shift), addMonths(last, shift), calendar),
  }
}

const SHIFTS: Readonly<Record<PeriodName, number>> = { '6-months': 6, quarter: 3, year: 12, '12-months': 12 }

function firstMonth(name: PeriodName, last: Month): Month {
  const index = Number(last.slice(5)) - 1
  if (name === 'year') return addMonths(last, -index)
  if (name === 'quarter') return addMonths(last, -(index % 3))
  return addMonths(last, 1 - SHIFTS[name])
}

function buildRange(first: Month, last: Month, calendar: Calendar): MonthRange {
  return {
    first,
    last,
    from: calendar.startOfMonth(first).toISOString(),
    to: instantBefore(calendar.startOfMonth(addMonths(last, 1))).toISOString(),
  }
}
