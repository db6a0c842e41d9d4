/** Chance that repeats itself: the same seed throws the same numbers. */
export interface RandomSource {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  integerBetween(min: number, max: number): number
  /** `undefined` only for an empty list. */
  pick<T>(list: readonly T[]): T | undefined
  /** At most so many of a list, each once; none of an empty one. */
  sample<T>(list: readonly T[], most: number): T[]
  chance(share: number): boolean
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
    sample(list, most) {
      const sampled = Array.from(
        { length: list.length === 0 ? 0 : integerBetween(0, most) },
        () => pick(list)!,
      )
      return [...new Set(sampled)]
    },
    chance: (share) => next() < share,
  }
}
