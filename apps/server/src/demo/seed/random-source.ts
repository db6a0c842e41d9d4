/** Deterministic random numbers: the same seed gives the same sequence. */
export interface RandomSource {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** Returns an integer from `min` to `max`, both inclusive. */
  integerBetween(min: number, max: number): number
  /** Returns `undefined` only for an empty list. */
  pick<T>(list: readonly T[]): T | undefined
  /** Returns at most `max` distinct elements. */
  sample<T>(list: readonly T[], max: number): T[]
  chance(probability: number): boolean
}

/** Mulberry32. */
export function createRandomSource(seed: number): RandomSource {
  let state = seed | 0

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  function integerBetween(min: number, max: number): number {
    return min + Math.floor(next() * (max - min + 1))
  }

  function pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(next() * list.length)]
  }

  return {
    next,
    integerBetween,
    pick,
    sample(list, max) {
      const elements = Array.from(
        { length: list.length === 0 ? 0 : integerBetween(0, max) },
        () => pick(list)!,
      )
      return [...new Set(elements)]
    },
    chance: (probability) => next() < probability,
  }
}
