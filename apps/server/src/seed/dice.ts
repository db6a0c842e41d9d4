/** Chance that repeats itself: the same seed throws the same numbers. */
export interface Dice {
  /** From 0 to below 1. */
  roll(): number
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  /** `undefined` only for an empty list. */
  pick<T>(list: readonly T[]): T | undefined
  /** At most so many of a list, each once; none of an empty one. */
  some<T>(list: readonly T[], most: number): T[]
  chance(share: number): boolean
}

/** Mulberry32. */
export function dice(seed: number): Dice {
  let state = seed | 0

  function roll(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  function between(min: number, max: number): number {
    return min + Math.floor(roll() * (max - min + 1))
  }

  function pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(roll() * list.length)]
  }

  return {
    roll,
    between,
    pick,
    some(list, most) {
      const picked = Array.from({ length: list.length === 0 ? 0 : between(0, most) }, () => pick(list)!)
      return [...new Set(picked)]
    },
    chance: (share) => roll() < share,
  }
}
