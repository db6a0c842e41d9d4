import type { Connection } from '@sales-crm/sql'

/** How long the event loop is held at a stretch, give or take a statement. */
const MAX_BLOCK_MS = 20

/**
 * A connection that lets go of the event loop from time to time: who only reads need not wait for the end of
 * a long transaction. Statements keep their order.
 * @returns also what says that the transaction is over: a statement that waits for its turn then must not be
 * in the next one
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
