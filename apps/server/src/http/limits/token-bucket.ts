export interface TokenBucketOptions {
  /** The most tokens that it holds, with which it begins. */
  readonly capacity: number
  /** The least: what is taken beyond it is free. */
  readonly minTokens: number
  /** Tokens that it gains per millisecond. */
  readonly rate: () => number
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
}

/** A token bucket from which more may be taken than it holds: whoever takes from it waits afterwards. */
export class TokenBucket {
  readonly #options: TokenBucketOptions
  #tokens: number
  #filledAt: number

  constructor(options: TokenBucketOptions) {
    this.#options = options
    this.#tokens = options.capacity
    this.#filledAt = options.now()
  }

  /** Adds what it has gained, and returns the milliseconds for which it stays overdrawn. */
  fill(): number {
    this.#addGain()
    return this.#tokens >= 0 ? 0 : Math.ceil(-this.#tokens / this.#options.rate())
  }

  /** Takes tokens for a time that has passed: what it has gained in that time is added afterwards. */
  take(tokens: number): void {
    this.#tokens = Math.max(this.#options.minTokens, this.#tokens - tokens)
  }

  #addGain(): void {
    const { capacity, rate, now } = this.#options
    const at = now()
    this.#tokens = Math.min(capacity, this.#tokens + (at - this.#filledAt) * rate())
    this.#filledAt = at
  }
}
