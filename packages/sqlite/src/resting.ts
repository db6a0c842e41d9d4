import type { Connection } from '@sales-crm/sql'

/** How long the event loop is held at a stretch, give or take a statement. */
const HELD_MS = 20

/**
 * A connection that lets go of the event loop from time to time: who only reads need not wait for the end of a long transaction. Statements
 * keep their order.
 * @returns also what says that the transaction is over: a statement that waits for its turn then must not be in the next one
 */
export function restingConnection(connection: Connection): { readonly connection: Connection; readonly end: () => void } {
  let since = performance.now()
  let turn: Promise<void> | undefined
  let isOver = false

  function isDue(): boolean {
    return turn !== undefined || performance.now() - since > HELD_MS
  }

  async function rest(): Promise<void> {
    turn ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      turn = undefined
      since = performance.now()
    })
    await turn
    if (isOver) throw new Error('The transaction is over.')
  }

  function rested<T>(work: () => Promise<T>): Promise<T> {
    return isDue() ? rest().then(work) : work()
  }

  return {
    connection: {
      rows: (...query) => rested(() => connection.rows(...query)),
      run: (...query) => rested(() => connection.run(...query)),
      write: (...change) => rested(() => connection.write(...change)),
      attempt: (part) => rested(() => connection.attempt(part)),
    },
    end() {
      isOver = true
    },
  }
}
