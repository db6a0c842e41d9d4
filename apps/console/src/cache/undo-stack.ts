/** What takes a change back. */
export type TakeBack = () => void

/** The changes that can be taken back, the last one first. Each is taken back once, and nothing does it again. */
export class UndoStack {
  readonly #limit: number
  #entries: readonly TakeBack[] = []

  /** @param limit changes that are kept */
  constructor(limit: number) {
    this.#limit = limit
  }

  add(takeBack: TakeBack): void {
    this.#entries = [...this.#entries, takeBack].slice(-this.#limit)
  }

  /** Forgets a change, such as one that was refused. */
  delete(takeBack: TakeBack): void {
    this.#entries = this.#entries.filter((each) => each !== takeBack)
  }

  /** After a change that cannot be taken back, those before it cannot be either. */
  clear(): void {
    this.#entries = []
  }

  /** Takes back a change; by default, the last one. */
  run(takeBack: TakeBack | undefined = this.#entries.at(-1)): void {
    if (!takeBack || !this.#entries.includes(takeBack)) return
    this.delete(takeBack)
    takeBack()
  }
}
