import type { TransactOptions } from '@sales-crm/core/ports'
import type { Connection, DatabaseDriver, Row, Statement } from '@sales-crm/sql'
import pg from 'pg'
import { TIMEOUTS } from '../wire/pool.ts'
import { query } from '../wire/query.ts'
import type { SharedConnection } from '../wire/shared-connection.ts'

const BEGIN_WRITE = 'begin isolation level read committed'
/**
 * What may be done again waits for others no longer than it takes to do it again: they may hold what they
 * have for as long as they like.
 */
const RELAXED_LOCK_TIMEOUT = 500
const RELAXED_SETTINGS = `; set local synchronous_commit to off; set local lock_timeout to ${RELAXED_LOCK_TIMEOUT}`
const BEGIN_READ = 'begin isolation level repeatable read read only'
/**
 * What a session of our own is told once must be told each transaction where a pooler hands sessions about.
 */
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
/** Deadlock and serialization failure: the same work may well succeed when it is done again. */
const RETRYABLE_SQLSTATES = ['40P01', '40001']
/** With that, what is held by others for longer than it is waited for. */
const RELAXED_RETRYABLE_SQLSTATES = [...RETRYABLE_SQLSTATES, '55P03']
/** Rolled back by the database, out of resources, shut down, a system error, an internal error. */
const FATAL_SQLSTATES = /^(40|53|57P|58|XX)/
/** How a session plans what it has prepared: it begins with `once`. */
const PLAN_CACHE_MODE = {
  generic: 'set local plan_cache_mode = force_generic_plan',
  custom: 'set local plan_cache_mode = force_custom_plan',
}

/** A transaction on a connection of the pool's, which has it back after one of the three. */
export interface OpenTransaction {
  readonly connection: Connection
  /** @throws the first failure there was */
  commit(): Promise<void>
  /** Commits what only read: nobody waits for that. @throws the first failure there was */
  commitWithoutWaiting(): void
  /** Takes everything back. @returns the first failure there was, `error` if none went before it */
  rollback(error: unknown): Promise<unknown>
}

/**
 * Transactions over a pool whose clients pipeline: `begin` travels with the first statement, and a write that
 * nobody asks about with whatever comes next, `commit` at the latest. The first failure is the one that is
 * thrown.
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
    // What has been read is right whatever becomes of the commit, and the next user of the client waits
    // behind it.
    read: <T>(work: Work<T>) =>
      retry(async () =>
        runInTransaction(await beginWith(`${BEGIN_READ}${settings}`), work, async (transaction) =>
          transaction.commitWithoutWaiting(),
        ),
      ),
  }
}

/**
 * No transactions at all: each statement is one by itself, so that those of many callers go over one
 * connection of prepared statements.
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

/** Runs what a deadlock or a like failure ended once more, a few times. */
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
  /** Resolves when everything sent has been answered. @throws the first failure */
  waitForAll(): Promise<void>
  /** @throws the first failure of which there is word */
  throwIfFailed(): void
  failure(): unknown
}

type Work<T> = (connection: Connection) => Promise<T>

/** What was sent in a transaction, or in a part of it that may fail alone. */
interface PendingStatements {
  readonly results: Promise<unknown>[]
  failure?: unknown
}

interface SessionOptions {
  /** Whether the session keeps what it has prepared. */
  readonly canPrepare: boolean
  /** Whether it is told how to plan, which lasts as long as a transaction. */
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
    // Sent for the whole: it fails only after what went before it.
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

/** A failure after which no part of the transaction may stay, the database's own or that of the way to it. */
function isFatal(failure: unknown): boolean {
  if (failure === undefined) return false
  return !(failure instanceof pg.DatabaseError) || FATAL_SQLSTATES.test(failure.code ?? '')
}

/** A `commit` after a failure has rolled back already, and a second rollback does no harm. */
async function tryRollback(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    return false
  }
}
