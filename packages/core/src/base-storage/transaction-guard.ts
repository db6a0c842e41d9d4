/**
 * The rules of a transaction that hold in every store: a failed write fails it, whether or not it is awaited; a
 * read neither writes nor locks; no call runs after its end.
 */
export class TransactionGuard {
  readonly #isWritable: boolean
  #writes: Promise<unknown>[] = []
  #isOver = false

  constructor(isWritable: boolean) {
    this.#isWritable = isWritable
  }

  /** Runs the work of the transaction. Throws the first write that failed, even if the work caught its error. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    return this.#awaitWrites(async () => {
      try {
        return await work()
      } finally {
        this.#isOver = true
      }
    })
  }

  async read<T>(call: () => Promise<T>): Promise<T> {
    this.#assertOpen()
    return call()
  }

  async lock<T>(call: () => Promise<T>): Promise<T> {
    this.#assertWritable()
    return call()
  }

  write<T>(call: () => Promise<T>): Promise<T> {
    const isLate = this.#isOver
    const write = this.lock(call)
    if (isLate) return write
    this.#writes.push(write)
    // The transaction awaits it, also if its work does not.
    write.catch(() => {})
    return write
  }

  /** Runs a savepoint. A write that fails in it fails it alone. */
  async savepoint<T>(run: (work: () => Promise<T>) => Promise<T>, work: () => Promise<T>): Promise<T> {
    this.#assertOpen()
    const writes = this.#writes
    this.#writes = []
    try {
      return await run(() => this.#awaitWrites(work))
    } finally {
      this.#writes = writes
    }
  }

  async #awaitWrites<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      await Promise.all(this.#writes)
    }
  }

  #assertOpen(): void {
    if (this.#isOver) throw new Error('The transaction is over.')
  }

  #assertWritable(): void {
    this.#assertOpen()
    if (!this.#isWritable) throw new Error('A read neither writes nor locks.')
  }
}
