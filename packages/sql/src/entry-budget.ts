/** Thrown within a read that would visit more index entries than its connection allows. */
export class LongReadError extends Error {
  override readonly name = 'LongReadError'
}

/** How many index entries the statements of one read may visit, by estimates made before each of them. */
export class EntryBudget {
  #remaining: number

  constructor(entries: number) {
    this.#remaining = entries
  }

  get remaining(): number {
    return this.#remaining
  }

  /** @throws LongReadError if fewer remain */
  take(entries: number): void {
    if (entries > this.#remaining) throw new LongReadError('The read visits too many entries.')
    this.#remaining -= entries
  }
}
