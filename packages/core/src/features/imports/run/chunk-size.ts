/** Fewer rows cost less than the statements that begin and end a transaction. */
const MIN = 10
const MAX = 100
/** Work of one transaction. */
const TARGET_MS = 8

/** Finds how many rows make a transaction of some milliseconds. */
export class ChunkSize {
  #rows = MIN

  get rows(): number {
    return this.#rows
  }

  /** Learns from a transaction with that many rows. */
  adapt(rows: number, milliseconds: number): void {
    if (rows < this.#rows && milliseconds <= TARGET_MS) return
    const fitting = Math.round((rows * TARGET_MS) / Math.max(1, milliseconds))
    this.#rows = Math.min(MAX, Math.max(MIN, Math.min(fitting, this.#rows * 2)))
  }
}
