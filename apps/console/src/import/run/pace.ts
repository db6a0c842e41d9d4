interface Timing {
  readonly now: () => number
  /** Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Spreads calls: at most `max` in any `windowMs`. The first ones go at once. */
export class Pace {
  readonly #max: number
  readonly #windowMs: number
  readonly #timing: Timing
  readonly #times: number[] = []

  constructor(max: number, windowMs: number, timing: Timing) {
    this.#max = max
    this.#windowMs = windowMs
    this.#timing = timing
  }

  /** Resolves when the next call may be sent. */
  async take(signal?: AbortSignal): Promise<void> {
    for (let ms = this.#delay(); ms > 0; ms = this.#delay()) await this.#timing.wait(ms, signal)
    this.#times.push(this.#timing.now())
  }

  /** Milliseconds that so many calls more take at least. */
  estimateMs(calls: number): number {
    const free = this.#max - this.#recent().length
    return (Math.max(0, calls - free) / this.#max) * this.#windowMs
  }

  #delay(): number {
    const recent = this.#recent()
    return recent.length < this.#max ? 0 : recent[0]! + this.#windowMs - this.#timing.now()
  }

  #recent(): readonly number[] {
    const start = this.#timing.now() - this.#windowMs
    while (this.#times.length > 0 && this.#times[0]! <= start) this.#times.shift()
    return this.#times
  }
}
