import type { TransactOptions } from '@sales-crm/core/ports'
import type { Connection } from '@sales-crm/sql'
import type pg from 'pg'
import { type ConnectionOptions, TIMEOUTS } from '../wire/pool.ts'
import { PipelinedConnection } from './pipelined-connection.ts'
import { RETRYABLE_SQLSTATES, retry } from './retry.ts'

const BEGIN_WRITE = 'begin isolation level read committed'
/**
 * Milliseconds. Retryable work waits for a lock about as long as a retry takes, since the holder may keep it
 * indefinitely.
 */
const RELAXED_LOCK_TIMEOUT = 500
const RELAXED_SETTINGS = [
  'set local synchronous_commit to off',
  `set local lock_timeout to ${RELAXED_LOCK_TIMEOUT}`,
]
const BEGIN_READ = 'begin isolation level repeatable read read only'
/** Settings of a session. Behind a pooler, which shares sessions, they are set in each transaction. */
const SESSION_SETTINGS = Object.entries({ timezone: "'UTC'", datestyle: "'ISO'", ...TIMEOUTS }).map(
  ([name, value]) => `set local ${name} to ${value}`,
)
/** On a database that Citus distributes, the lock timeout of a session does not apply on the server of a row. */
const DISTRIBUTED_SETTINGS = [
  'set local citus.propagate_set_commands to local',
  `set local lock_timeout to ${TIMEOUTS.lock_timeout}`,
]
/** Also lock timeout, whose wait is short. */
const RELAXED_RETRYABLE_SQLSTATES = [...RETRYABLE_SQLSTATES, '55P03']

type Work<T> = (connection: Connection) => Promise<T>

/** Runs before the snapshot of a read is taken, on the same connection. */
export type Prepare = (connection: Connection) => Promise<void>

type Modes = Pick<ConnectionOptions, 'prepared' | 'isDistributed'>

/** A transaction on a client of the pool. Each ending returns the client; if a commit throws, `rollback` must follow. */
export class OpenTransaction {
  readonly connection: PipelinedConnection
  readonly #client: pg.PoolClient

  constructor(client: pg.PoolClient, isPrepared: boolean) {
    this.#client = client
    this.connection = new PipelinedConnection(client, isPrepared)
  }

  /** @throws the first failure */
  async commit(): Promise<void> {
    this.connection.throwIfFailed()
    this.connection.send('commit')
    await this.connection.waitForAll()
    this.#client.release()
  }

  /**
   * Commits a transaction that only read, without waiting for the result: rows already read are valid whatever
   * it is, and the client's next user waits behind it.
   * @throws the first failure
   */
  commitWithoutWaiting(): void {
    this.connection.throwIfFailed()
    this.connection.send('commit')
    this.#client.release()
  }

  /**
   * Rolls back.
   * @returns the first failure, or `error` if there was none before it
   */
  async rollback(error: unknown): Promise<unknown> {
    this.#client.release(!(await tryRollback(this.#client)))
    return this.connection.failure ?? error
  }
}

/**
 * Transactions over a pool of pipelining clients: `begin` is sent with the first statement, and writes whose
 * result is not awaited with the next statement or `commit`. The first failure is thrown.
 */
export class PooledTransactions {
  readonly #pool: pg.Pool
  readonly #isPrepared: boolean
  readonly #isDistributed: boolean

  constructor(pool: pg.Pool, { prepared = true, isDistributed = false }: Modes) {
    this.#pool = pool
    this.#isPrepared = prepared
    this.#isDistributed = isDistributed
  }

  /** @param settings statements after `begin` */
  async begin(settings: readonly string[] = []): Promise<OpenTransaction> {
    const transaction = await this.#open()
    this.#sendBegin(transaction, BEGIN_WRITE, [
      ...(this.#isDistributed ? DISTRIBUTED_SETTINGS : []),
      ...settings,
    ])
    return transaction
  }

  /** Runs work in a transaction, without a retry. */
  async runOnce<T>(work: Work<T>, settings: readonly string[] = []): Promise<T> {
    return run(await this.begin(settings), work, (transaction) => transaction.commit())
  }

  transact<T>(work: Work<T>, options?: TransactOptions): Promise<T> {
    return options?.durability === 'relaxed'
      ? retry(() => this.runOnce(work, RELAXED_SETTINGS), RELAXED_RETRYABLE_SQLSTATES)
      : retry(() => this.runOnce(work))
  }

  /** @param statementTimeout milliseconds */
  read<T>(work: Work<T>, statementTimeout: number, prepare?: Prepare): Promise<T> {
    const settings = [`set local statement_timeout to ${statementTimeout}`]
    return retry(async () => {
      const transaction = await this.#open()
      const readPrepared = async (connection: Connection) => {
        if (prepare) await prepare(connection)
        this.#sendBegin(transaction, BEGIN_READ, settings)
        return work(connection)
      }
      return run(transaction, readPrepared, async () => transaction.commitWithoutWaiting())
    })
  }

  async #open(): Promise<OpenTransaction> {
    return new OpenTransaction(await this.#pool.connect(), this.#isPrepared)
  }

  #sendBegin({ connection }: OpenTransaction, begin: string, settings: readonly string[]): void {
    const statements = [begin, ...(this.#isPrepared ? [] : SESSION_SETTINGS), ...settings]
    // Citus repeats the whole message of a setting on the server of a row.
    const messages = this.#isDistributed ? statements : [statements.join('; ')]
    for (const message of messages) connection.send(message)
  }
}

async function run<T>(
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

/** A `commit` after a failure has already rolled back; a second rollback has no effect. */
async function tryRollback(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    return false
  }
}
