/** An axis of a plot: its label and scale. */
export interface Axis {
  readonly label: string
  readonly scale: 'log' | 'linear'
}

/** An axis with a range that fits its values. */
export interface FittedAxis {
  readonly ticks: readonly number[]
  /** Returns the position of a value, from 0 at the low end to 1 at the high end. */
  positionOf(value: number): number
}

const STEPS = [1, 2, 5, 10]
const TARGET_TICKS = 5

/**
 * Fits the range of an axis to the values. A log axis spans powers of ten; a linear axis begins at 0.
 * @throws Error for a value that a log axis cannot show
 */
export function fitAxis({ scale, label }: Axis, values: readonly number[]): FittedAxis {
  if (scale === 'linear') return createAxis(linearTicks(Math.max(...values, 1)), (value) => value)
  if (values.some((value) => !(value > 0)))
    throw new Error(`A log axis can only show values above 0: ${label}.`)
  const lowest = Math.floor(Math.log10(Math.min(...values)))
  const highest = Math.max(lowest + 1, Math.ceil(Math.log10(Math.max(...values))))
  const powers = Array.from({ length: highest - lowest + 1 }, (_, index) => 10 ** (lowest + index))
  return createAxis(powers, Math.log10)
}

/** Formats a number as `1 000 000` or `0.01`. */
export function formatNumber(value: number): string {
  return Number(value.toPrecision(6))
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, '\u2009')
}

function createAxis(ticks: readonly number[], project: (value: number) => number): FittedAxis {
  const [low, high] = [project(ticks[0]!), project(ticks.at(-1)!)]
  return { ticks, positionOf: (value) => (project(value) - low) / (high - low) }
}

function linearTicks(highest: number): number[] {
  const roughStep = highest / TARGET_TICKS
  const power = 10 ** Math.floor(Math.log10(roughStep))
  const step = STEPS.map((each) => each * power).find((each) => each >= roughStep)!
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}
