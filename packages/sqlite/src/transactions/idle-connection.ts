import type { Connection } from '@sales-crm/sql'

/** After this time, the next statement waits for one iteration of the event loop. */
const MAX_BLOCK_MS = 20

/**
 * Wraps a connection so that it yields to the event loop at intervals: reads need not wait for the end of a
 * long transaction. Statements keep their order.
 * @returns the connection and a function that ends it, after which a pending statement is rejected rather
 * than run in the next transaction
 */
export function createIdleConnection(connection: Connection): {
  readonly connection: Connection
  readonly end: () => void
} {
  let resumedAt = performance.now()
  let pause: Promise<void> | undefined
  let isOver = false

  function isPauseDue(): boolean {
    return pause !== undefined || performance.now() - resumedAt > MAX_BLOCK_MS
  }

  async function yieldEventLoop(): Promise<void> {
    pause ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      pause = undefined
      resumedAt = performance.now()
    })
    await pause
    if (isOver) throw new Error('The transaction is over.')
  }

  function runAfterPause<T>(work: () => Promise<T>): Promise<T> {
    return isPauseDue() ? yieldEventLoop().then(work) : work()
  }

  return {
    connection: {
      query: (...query) => runAfterPause(() => connection.query(...query)),
      execute: (...query) => runAfterPause(() => connection.execute(...query)),
      executeMany: (...change) => runAfterPause(() => connection.executeMany(...change)),
      savepoint: (work) => runAfterPause(() => connection.savepoint(work)),
    },
    end() {
      isOver = true
    },
  }
}
