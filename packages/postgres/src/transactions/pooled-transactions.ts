import type { TransactOptions } from '@sales-crm/core/ports'
import type { Connection } from '@sales-crm/sql'
import type pg from 'pg'
import { TIMEOUTS } from '../wire/pool.ts'
import { PipelinedConnection } from './pipelined-connection.ts'
import { RETRYABLE_SQLSTATES, retry } from './retry.ts'

const BEGIN_WRITE = 'begin isolation level read committed'
/**
 * Milliseconds. Retryable work waits for a lock about as long as a retry takes, since the holder may keep it
 * indefinitely.
 */
const RELAXED_LOCK_TIMEOUT = 500
const RELAXED_SETTINGS = `; set local synchronous_commit to off; set local lock_timeout to ${RELAXED_LOCK_TIMEOUT}`
const BEGIN_READ = 'begin isolation level repeatable read read only'
/** Settings of a session. Behind a pooler, which shares sessions, they are set in each transaction. */
const SESSION_SETTINGS = [
  ...["timezone to 'UTC'", "datestyle to 'ISO'", `statement_timeout to ${TIMEOUTS.statement_timeout}`],
  ...[
    `lock_timeout to ${TIMEOUTS.lock_timeout}`,
    `idle_in_transaction_session_timeout to ${TIMEOUTS.idle_in_transaction_session_timeout}`,
  ],
]
  .map((setting) => `; set local ${setting}`)
  .join('')
/** Also lock timeout, whose wait is short. */
const RELAXED_RETRYABLE_SQLSTATES = [...RETRYABLE_SQLSTATES, '55P03']

type Work<T> = (connection: Connection) => Promise<T>

/** A transaction on a client of the pool; each of the three endings returns the client. */
export interface OpenTransaction {
  readonly connection: Connection
  /** @throws the first failure */
  commit(): Promise<void>
  /**
   * Commits a transaction that only read, without waiting for the result.
   * @throws the first failure
   */
  commitWithoutWaiting(): void
  /**
   * Rolls back.
   * @returns the first failure, or `error` if there was none before it
   */
  rollback(error: unknown): Promise<unknown>
}

/**
 * Transactions over a pool of pipelining clients: `begin` is sent with the first statement, and writes whose
 * result is not awaited with the next statement or `commit`. The first failure is thrown.
 */
export function createPooledTransactions(pool: pg.Pool, isPrepared: boolean) {
  async function beginWith(text: string): Promise<OpenTransaction> {
    const client = await pool.connect()
    const connection = new PipelinedConnection(client, isPrepared)
    connection.send(text)
    return {
      connection,
      async commit() {
        connection.throwIfFailed()
        connection.send('commit')
        await connection.waitForAll()
        client.release()
      },
      commitWithoutWaiting() {
        connection.throwIfFailed()
        connection.send('commit')
        client.release()
      },
      async rollback(error) {
        client.release(!(await tryRollback(client)))
        return connection.failure ?? error
      },
    }
  }

  async function runInTransaction<T>(
    transaction: OpenTransaction,
    work: Work<T>,
    finish: (transaction: OpenTransaction) => Promise<void>,
  ): Promise<T> {
    try {
      const result = await work(transaction.connection)
      await finish(transaction)
      return result
    } catch (error) {
      throw await transaction.rollback(error)
    }
  }

  const settings = isPrepared ? '' : SESSION_SETTINGS
  const begin = () => beginWith(`${BEGIN_WRITE}${settings}`)
  const runOnce = async <T>(work: Work<T>) =>
    runInTransaction(await begin(), work, (transaction) => transaction.commit())

  const runRelaxed = async <T>(work: Work<T>) =>
    runInTransaction(await beginWith(`${BEGIN_WRITE}${settings}${RELAXED_SETTINGS}`), work, (transaction) =>
      transaction.commit(),
    )

  return {
    begin,
    runOnce,
    transact: <T>(work: Work<T>, options?: TransactOptions) =>
      options?.durability === 'relaxed'
        ? retry(() => runRelaxed(work), RELAXED_RETRYABLE_SQLSTATES)
        : retry(() => runOnce(work)),
    // Rows already read are valid whatever the result of the commit, and the client's next user waits behind
    // it.
    read: <T>(work: Work<T>) =>
      retry(async () =>
        runInTransaction(await beginWith(`${BEGIN_READ}${settings}`), work, async (transaction) =>
          transaction.commitWithoutWaiting(),
        ),
      ),
  }
}

/** A `commit` after a failure has already rolled back; a second rollback has no effect. */
async function tryRollback(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    return false
  }
}
