/** Runs at most `max` calls at once; the others wait in order. */
export class CallLimit {
  readonly #max: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(max: number) {
    this.#max = max
  }

  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#max) this.#running += 1
    else await new Promise<void>((start) => this.#waiting.push(start))
    try {
      return await call()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}
