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

  read<T>(call: () => Promise<T>): Promise<T> {
    return this.#isOver ? Promise.reject(transactionOverError()) : startCall(call)
  }

  lock<T>(call: () => Promise<T>): Promise<T> {
    if (this.#isOver) return Promise.reject(transactionOverError())
    return this.#isWritable ? startCall(call) : Promise.reject(new Error('A read neither writes nor locks.'))
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
    if (this.#isOver) throw transactionOverError()
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
}

function transactionOverError(): Error {
  return new Error('The transaction is over.')
}

/** A verb of a store that is no async function may throw before it returns a promise. */
function startCall<T>(call: () => Promise<T>): Promise<T> {
  try {
    return call()
  } catch (error) {
    return Promise.reject(error)
  }
}
