const STEPS = [1, 2, 2.5, 5, 10]
const TICKS = 4
/** A value above zero is never invisible. */
const MIN_LENGTH = 1.5

/**
 * Returns round ticks from 0 to the first one that is not below `max`, about four of them. Only 0 if there is nothing
 * to measure.
 * @param minStep the smallest difference that the values can have
 */
export function createTicks(max: number, minStep = 0): readonly number[] {
  if (!(max > 0) || !Number.isFinite(max)) return [0]
  const step = Math.max(roundStep(max / TICKS), minStep)
  const count = Math.ceil(Number((max / step).toPrecision(12)))
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}

function roundStep(rough: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const factor = STEPS.find((step) => Number((rough / magnitude).toPrecision(12)) <= step) ?? 10
  return factor * magnitude
}

/** Returns the length of a value on an axis of `length` units that ends at `max`. */
export function scaleLength(value: number, max: number, length: number): number {
  if (!(value > 0) || !(max > 0)) return 0
  return Math.min(length, Math.max(MIN_LENGTH, (value / max) * length))
}
