/** A measure, with a value for each round. Every target is an upper bound. */
export interface Row {
  readonly title: string
  readonly unit: 'ms' | 'KiB' | 'MB' | '%' | ''
  readonly values: readonly number[]
  readonly target?: number
  /** Number of decimal places. */
  readonly digits?: number
}

/** The value below which `percent` of the values lie. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}

export function longest(durations: readonly number[]): number {
  return Math.max(0, ...durations)
}
