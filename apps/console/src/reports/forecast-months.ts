import { addMonths, type Calendar, instantBefore, listMonths, type Month } from '../format/calendar.ts'
import { addSums, type DealSum, NO_DEALS, subtractSum } from './stage-sums.ts'

/** The present month and those after it. */
const MONTHS = 4

/** `past` is before the present month, `later` after the last one. */
export type ForecastKey = 'past' | Month | 'later' | 'none'

export interface ForecastRange {
  readonly key: ForecastKey
  /** The filter of the service, whose bounds are inclusive. */
  readonly bounds: { readonly forecast_after?: string; readonly forecast_before?: string }
}

/** Divides all forecast dates into ranges without a gap. */
export function listForecastRanges(now: Date, calendar: Calendar): readonly ForecastRange[] {
  const first = calendar.monthOf(now)
  const last = addMonths(first, MONTHS - 1)
  const start = (month: Month) => calendar.startOfMonth(month).toISOString()
  const end = (month: Month) => instantBefore(calendar.startOfMonth(addMonths(month, 1))).toISOString()
  return [
    { key: 'past', bounds: { forecast_before: end(addMonths(first, -1)) } },
    ...listMonths(first, last).map((month) => ({
      key: month,
      bounds: { forecast_after: start(month), forecast_before: end(month) },
    })),
    { key: 'later', bounds: { forecast_after: start(addMonths(last, 1)) } },
  ]
}

export interface ForecastRow {
  readonly key: ForecastKey
  readonly sum: DealSum
}

/** Adds the deals without a date, and leaves out the rows without deals that are not months. */
export function buildForecastRows(dated: readonly ForecastRow[], whole: DealSum): readonly ForecastRow[] {
  const none = subtractSum(whole, dated.map(({ sum }) => sum).reduce(addSums, NO_DEALS))
  return [...dated, { key: 'none', sum: none }].filter(({ key, sum }) => isMonth(key) || sum.count > 0)
}

export function isMonth(key: ForecastKey): boolean {
  return /^\d/.test(key)
}
