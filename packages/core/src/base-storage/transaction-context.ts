interface AsyncContext {
  run<T>(transaction: OpenTransaction, work: () => T): T
  getStore(): OpenTransaction | undefined
}

interface OpenTransaction {
  isOver: boolean
}

interface Runtime {
  readonly process?: {
    getBuiltinModule?(name: string): { readonly AsyncLocalStorage: new () => AsyncContext }
  }
}

/**
 * Tells which calls are made within the work of a transaction. It needs the asynchronous context of the runtime:
 * in a browser, which has none yet, no nested transaction is noticed.
 */
export class TransactionContext {
  readonly #context = createAsyncContext()

  /** @throws Error within the work of another transaction: the inner one would wait for the outer one, for ever */
  assertNotNested(): void {
    const outer = this.#context?.getStore()
    if (outer && !outer.isOver)
      throw new Error(
        'A transaction was begun within the work of another one. Use the transaction that the work receives, or begin after it has ended.',
      )
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#context) return work()
    const transaction = { isOver: false }
    try {
      return await this.#context.run(transaction, work)
    } finally {
      transaction.isOver = true
    }
  }
}

function createAsyncContext(): AsyncContext | undefined {
  const { process } = globalThis as Runtime
  const hooks = process?.getBuiltinModule?.('node:async_hooks')
  return hooks && new hooks.AsyncLocalStorage()
}
