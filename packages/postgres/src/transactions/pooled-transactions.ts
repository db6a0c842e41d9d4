import type { TransactOptions } from '@sales-crm/core/ports'
import type { Connection, DatabaseDriver, Row, Statement } from '@sales-crm/sql'
import pg from 'pg'
import { TIMEOUTS } from '../wire/pool.ts'
import { query } from '../wire/query.ts'
import type { SharedConnection } from '../wire/shared-connection.ts'

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
const MAX_TRIES = 4
/** Deadlock and serialization failure: a retry may succeed. */
const RETRYABLE_SQLSTATES = ['40P01', '40001']
/** Also lock timeout. */
const RELAXED_RETRYABLE_SQLSTATES = [...RETRYABLE_SQLSTATES, '55P03']
/** Rolled back by the database, out of resources, shut down, system error, internal error. */
const FATAL_SQLSTATES = /^(40|53|57P|58|XX)/
/** How a session plans prepared statements; `generic` is the initial mode. */
const PLAN_CACHE_MODE = {
  generic: 'set local plan_cache_mode = force_generic_plan',
  custom: 'set local plan_cache_mode = force_custom_plan',
}

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
    const connection = createPipelinedConnection(client, { canPrepare: isPrepared, canSetPlan: isPrepared })
    connection.send(text)
    return {
      connection: connection,
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
        return connection.failure() ?? error
      },
    }
  }

  async function runInTransaction<T>(
    transaction: OpenTransaction,
    work: Work<T>,
    finish: (begun: OpenTransaction) => Promise<void>,
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

/**
 * Reads without a transaction: each statement runs in autocommit, so statements of many callers share one
 * pipelined connection.
 */
export function createAutocommitReads(sharedConnection: SharedConnection): DatabaseDriver['read'] {
  return async (work) => {
    const connection = await openAutocommitConnection(sharedConnection)
    try {
      const result = await work(connection)
      connection.throwIfFailed()
      return result
    } catch (error) {
      throw connection.failure() ?? error
    }
  }
}

export async function openAutocommitConnection(
  sharedConnection: SharedConnection,
): Promise<PipelinedConnection> {
  return createPipelinedConnection(await sharedConnection.client(), { canPrepare: true, canSetPlan: false })
}

/** Retries work that failed with a retryable SQLSTATE, a limited number of times. */
export async function retry<T>(
  run: (tries: number) => Promise<T>,
  retryable: readonly string[] = RETRYABLE_SQLSTATES,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run(tries)
    } catch (error) {
      const isRetryable = error instanceof pg.DatabaseError && retryable.includes(error.code ?? '')
      if (!isRetryable || tries === MAX_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** tries))
    }
  }
}

export interface PipelinedConnection extends Connection {
  send(text: string): void
  /**
   * Resolves when all sent statements have completed.
   * @throws the first failure
   */
  waitForAll(): Promise<void>
  /** @throws the first failure known so far */
  throwIfFailed(): void
  failure(): unknown
}

type Work<T> = (connection: Connection) => Promise<T>

/** Statements sent in a transaction or in a savepoint of it. */
interface PendingStatements {
  readonly results: Promise<unknown>[]
  failure?: unknown
}

interface SessionOptions {
  /** Whether the session keeps prepared statements. */
  readonly canPrepare: boolean
  /** Whether the plan mode may be set; it lasts until the end of the transaction. */
  readonly canSetPlan: boolean
}

function createPipelinedConnection(client: pg.ClientBase, options: SessionOptions): PipelinedConnection {
  const transaction: PendingStatements = { results: [] }
  let current = transaction
  let planMode: Statement['plan'] = 'generic'

  function submit(
    text: string,
    values: readonly unknown[],
    name?: string,
    hasTotal?: boolean,
  ): Promise<pg.QueryResult<Row>> {
    const result = query<Row>(client, text, values, name, hasTotal)
    const pending = current
    pending.results.push(result)
    result.catch((error: unknown) => {
      pending.failure ??= error
    })
    return result
  }

  function runStatement(
    { name, sql, plan, hasTotal }: Statement,
    values: readonly unknown[],
  ): Promise<pg.QueryResult<Row>> {
    if (!options.canPrepare) return submit(sql, values, undefined, hasTotal)
    if (options.canSetPlan && plan !== planMode) send(PLAN_CACHE_MODE[plan])
    planMode = plan
    return submit(sql, values, name, hasTotal)
  }

  function send(text: string): void {
    void submit(text, [])
  }

  async function waitForAll(pending: PendingStatements): Promise<void> {
    await Promise.allSettled(pending.results)
    if (pending.failure !== undefined) throw pending.failure
  }

  async function savepoint<T>(work: () => Promise<T>): Promise<T> {
    const pending: PendingStatements = { results: [] }
    const planModeBefore = planMode
    // Sent in the enclosing scope: it fails only if an earlier statement failed.
    send('savepoint part')
    current = pending
    try {
      const result = await work()
      send('release savepoint part')
      await waitForAll(pending)
      return result
    } catch (error) {
      await Promise.allSettled([...transaction.results, ...pending.results])
      const failure = pending.failure ?? error
      if (isFatal(pending.failure)) transaction.failure ??= failure
      if (transaction.failure !== undefined) throw transaction.failure
      current = transaction
      planMode = planModeBefore
      send('rollback to savepoint part')
      send('release savepoint part')
      throw failure
    } finally {
      current = transaction
    }
  }

  return {
    query: async (statement, values) => (await runStatement(statement, values)).rows,
    execute: async (statement, values) => (await runStatement(statement, values)).rowCount ?? 0,
    async executeMany(statement, valueLists) {
      for (const values of valueLists) void runStatement(statement, values)
    },
    savepoint,
    send,
    waitForAll: () => waitForAll(transaction),
    throwIfFailed() {
      if (transaction.failure !== undefined) throw transaction.failure
    },
    failure: () => transaction.failure,
  }
}

/** Whether a failure must end the whole transaction: one of the server's state or of the connection. */
function isFatal(failure: unknown): boolean {
  if (failure === undefined) return false
  return !(failure instanceof pg.DatabaseError) || FATAL_SQLSTATES.test(failure.code ?? '')
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
