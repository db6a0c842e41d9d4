/** Divides the time in which the event loop is busy evenly among the calls that run. */
export class SharedBusyTime {
  readonly #busy: () => number
  #busyUntil = 0
  #running = 0
  /** Milliseconds of a call that runs since the start. */
  #perCall = 0

  /** @param busy milliseconds for which the event loop was busy so far */
  constructor(busy: () => number) {
    this.#busy = busy
  }

  /** @returns what to pass to `end` */
  start(): number {
    this.#advance()
    this.#running += 1
    return this.#perCall
  }

  /** @returns the call's part of the busy time, in milliseconds */
  end(startedAt: number): number {
    this.#advance()
    this.#running -= 1
    return this.#perCall - startedAt
  }

  #advance(): void {
    const busy = this.#busy()
    if (this.#running > 0) this.#perCall += (busy - this.#busyUntil) / this.#running
    this.#busyUntil = busy
  }
}
