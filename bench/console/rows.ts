import { formatMeasure, isMissed, type Measure } from '../report.ts'
import { median } from '../rounds.ts'

/** A measure with a value for each round, whose median must not exceed a target. */
export interface Row {
  readonly title: string
  readonly values: readonly number[]
  readonly unit: 'ms' | 'KiB' | '%' | 'frames'
  readonly atMost: number
  /** Number of decimal places. Defaults to 0. */
  readonly digits?: number
}

export function formatRow(row: Row): string[] {
  const { title, values, digits = 0 } = row
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const range = values.length > 1 ? `${lowest.toFixed(digits)} to ${highest.toFixed(digits)}` : ''
  return [title, ...formatMeasure(measureOf(row)), range]
}

export function isRowMissed(row: Row): boolean {
  return isMissed(measureOf(row))
}

export function longest(durations: readonly number[]): number {
  return Math.max(0, ...durations)
}

function measureOf({ values, unit, atMost, digits = 0 }: Row): Measure {
  return { value: median(values), unit, atMost, digits }
}
