/** One direction of a plot: its words, and how far it reaches. */
export interface Axis {
  readonly label: string
  readonly scale: 'log' | 'linear'
}

/** An axis fitted to values. */
export interface FittedAxis {
  readonly ticks: readonly number[]
  /** From 0 at the low end to 1 at the high end. */
  at(value: number): number
}

const STEPS = [1, 2, 5, 10]
const WANTED_TICKS = 5

/** Reaches from a round value to a round value: on a log axis powers of ten, on a linear one from 0. @throws Error for what a log axis cannot show */
export function fitAxis({ scale, label }: Axis, values: readonly number[]): FittedAxis {
  if (scale === 'linear') return scalePoint(linearTicks(Math.max(...values, 1)), (value) => value)
  if (values.some((value) => !(value > 0)))
    throw new Error(`A log axis shows only what is above 0: ${label}.`)
  const lowest = Math.floor(Math.log10(Math.min(...values)))
  const highest = Math.max(lowest + 1, Math.ceil(Math.log10(Math.max(...values))))
  const powers = Array.from({ length: highest - lowest + 1 }, (_, index) => 10 ** (lowest + index))
  return scalePoint(powers, Math.log10)
}

/** `1 000 000`, `0.01` */
export function shownNumber(value: number): string {
  return Number(value.toPrecision(6))
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, '\u2009')
}

function scalePoint(ticks: readonly number[], placed: (value: number) => number): FittedAxis {
  const [low, high] = [placed(ticks[0]!), placed(ticks.at(-1)!)]
  return { ticks, at: (value) => (placed(value) - low) / (high - low) }
}

function linearTicks(highest: number): number[] {
  const rough = highest / WANTED_TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = STEPS.map((each) => each * power).find((each) => each >= rough)!
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}
