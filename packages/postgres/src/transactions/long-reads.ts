import { type CancelSignal, type ReadOptions, RetryLaterError } from '@sales-crm/core/ports'
import { type Connection, WorkspaceTurns } from '@sales-crm/sql'
import pg from 'pg'
import { type ConnectionOptions, createPool } from '../wire/pool.ts'
import { PooledTransactions, type Prepare } from './pooled-transactions.ts'

const LONG_READ_TIMEOUT = 10_000
/** Each long read holds a connection while it runs. */
const CONNECTIONS = 3
const RETRY_AFTER_SECONDS = 5
const QUERY_CANCELED = '57014'

const BACKEND_PID = {
  name: 'backend_pid',
  sql: 'select pg_backend_pid() as pid',
  params: [],
  plan: 'generic',
} as const

type Work<T> = (connection: Connection) => Promise<T>

/** True for a statement that was ended by its timeout, or canceled. */
export function isStatementCanceled(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === QUERY_CANCELED
}

/** Runs reads that may take long on connections of their own. They are canceled when their caller has gone. */
export class LongReads {
  readonly #pool: pg.Pool
  readonly #transactions: PooledTransactions
  readonly #statementTimeout: number
  readonly #turns = new WorkspaceTurns(Array.from({ length: CONNECTIONS }, (_, index) => index))

  /** @param statementTimeout milliseconds, after which a call is refused */
  constructor(options: ConnectionOptions, statementTimeout = LONG_READ_TIMEOUT) {
    this.#statementTimeout = statementTimeout
    // One more, to cancel statements of the others.
    this.#pool = createPool({ ...options, pool: CONNECTIONS + 1 })
    this.#transactions = new PooledTransactions(this.#pool, options)
  }

  /** @throws CrmError `rate_limit_exceeded` if a statement takes too long */
  async run<T>(work: Work<T>, caller?: ReadOptions['caller'], prepare?: Prepare): Promise<T> {
    try {
      return await this.#turns.run(() => this.#read(work, caller?.signal, prepare), caller)
    } catch (error) {
      caller?.signal?.throwIfAborted()
      if (isStatementCanceled(error))
        throw new RetryLaterError(RETRY_AFTER_SECONDS, 'A read took longer than a statement may.')
      throw error
    }
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  #read<T>(work: Work<T>, signal: CancelSignal | undefined, prepare: Prepare | undefined): Promise<T> {
    return this.#transactions.read(
      async (connection) => (signal ? this.#readWhileWanted(work, connection, signal) : work(connection)),
      this.#statementTimeout,
      prepare,
    )
  }

  async #readWhileWanted<T>(work: Work<T>, connection: Connection, signal: CancelSignal): Promise<T> {
    const [backend] = await connection.query(BACKEND_PID, [])
    let cancellation: Promise<unknown> | undefined
    const cancel = () => {
      cancellation = this.#pool
        .query('select pg_cancel_backend($1::integer)', [backend!['pid']])
        .catch(() => {})
    }
    signal.addEventListener('abort', cancel)
    try {
      return await work({
        query(statement, values) {
          signal.throwIfAborted()
          return connection.query(statement, values)
        },
        execute: (statement, values) => connection.execute(statement, values),
        executeMany: (statement, valueLists) => connection.executeMany(statement, valueLists),
        savepoint: (part) => connection.savepoint(part),
      })
    } finally {
      signal.removeEventListener('abort', cancel)
      // Otherwise it could hit the next transaction of the connection.
      await cancellation
    }
  }
}
