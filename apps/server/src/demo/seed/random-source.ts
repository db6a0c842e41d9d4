/** Deterministic random values: the same seed gives the same sequence. */
export class RandomSource {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive), by a linear congruential generator. */
  next(): number {
    this.#state = (this.#state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return this.#state / 2 ** 32
  }

  /** Returns an integer from `min` to `max`, both inclusive. */
  integerBetween(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  /** Returns `undefined` only for an empty list. */
  pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.next() * list.length)]
  }

  /** Returns between `min` and `max` elements, of which equal ones count once. */
  sample<T>(list: readonly T[], min: number, max: number): readonly T[] {
    const count = list.length === 0 ? 0 : this.integerBetween(min, max)
    return [...new Set(Array.from({ length: count }, () => this.pick(list)!))]
  }

  /** Returns one of the patterns, with each `#` replaced by a random digit. */
  fillDigits(patterns: readonly string[]): string {
    return this.pick(patterns)!.replace(/#/g, () => String(this.integerBetween(0, 9)))
  }
}
