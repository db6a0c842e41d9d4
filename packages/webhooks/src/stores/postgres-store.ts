import type { IdStore } from './id-store.ts'
import {
  EVENTS_PER_PURGE,
  PURGE_LIMIT,
  type SqlStoreOptions,
  validateSqlOptions,
} from './sql-store-options.ts'

/** The part of `pg`'s `PoolClient` that the store uses. */
export interface PostgresClient {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ readonly command: string; readonly rowCount: number | null }>
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
  release(destroy?: boolean): void
}

/** The part of `pg`'s `Pool` that the store uses. */
export interface PostgresPool<Client extends PostgresClient> {
  readonly connect: {
    (): Promise<Client>
    /** Not used. The compiler infers `Client` from overloads in the same order as `pg`'s. */
    (callback: never): unknown
  }
}

/** An arbitrary number: creating the table is serialized among all processes. */
const CREATE_TABLE_LOCK = 7_268_530_814

/**
 * Stores ids in PostgreSQL, in the transaction in which the handler runs: what a handler writes through its
 * `transaction`, a client of the pool, commits together with the id, or not at all. Any number of processes
 * share the table. A concurrent delivery of the same id waits for the lock of its row, on a connection of its
 * own.
 * @throws TypeError for an option that breaks a rule
 */
export function postgresStore<Client extends PostgresClient>(
  pool: PostgresPool<Client>,
  options: SqlStoreOptions = {},
): IdStore<Client> {
  if (typeof pool?.connect !== 'function') throw new TypeError('pool must be a Pool of the package pg.')
  return new PostgresStore(pool, options)
}

class PostgresStore<Client extends PostgresClient> implements IdStore<Client> {
  readonly #pool: PostgresPool<Client>
  readonly #table: string
  readonly #index: string
  readonly #retentionDays: number
  #tableCreation: Promise<void> | undefined
  #processedCount = 0

  constructor(pool: PostgresPool<Client>, options: SqlStoreOptions) {
    const { table, index, retentionDays } = validateSqlOptions(options)
    this.#pool = pool
    this.#table = table
    this.#index = index
    this.#retentionDays = retentionDays
  }

  async runOnce(id: string, process: (transaction: Client) => Promise<void>): Promise<boolean> {
    await this.#ensureTable()
    const isNew = await transact(this.#pool, async (client) => {
      // Waits for another transaction that has inserted the same id.
      const insert = `insert into ${this.#table} (id) values ($1) on conflict do nothing`
      const { rowCount } = await client.query(insert, [id])
      if (rowCount === 1) await process(client)
      return rowCount === 1
    })
    if (isNew && this.#processedCount++ % EVENTS_PER_PURGE === 0) await this.#purgeExpired()
    return isNew
  }

  #ensureTable(): Promise<void> {
    this.#tableCreation ??= this.#createTable().catch((error: unknown) => {
      this.#tableCreation = undefined
      throw error
    })
    return this.#tableCreation
  }

  /**
   * `create table if not exists` alone fails when two processes race, and for a role that may not create
   * tables, even if the table exists.
   */
  async #createTable(): Promise<void> {
    await transact(this.#pool, async (client) => {
      const { rowCount } = await client.query('select 1 where to_regclass($1) is not null', [this.#table])
      if (rowCount === 1) return
      await client.query('select pg_advisory_xact_lock($1)', [CREATE_TABLE_LOCK])
      await client.query(
        `create table if not exists ${this.#table} ` +
          '(id text primary key, processed_at timestamptz not null default now())',
      )
      await client.query(`create index if not exists ${this.#index} on ${this.#table} (processed_at)`)
    })
  }

  /** The event is committed: a failure here is left to the next purge. */
  async #purgeExpired(): Promise<void> {
    const purge =
      `delete from ${this.#table} where id in (select id from ${this.#table} ` +
      'where processed_at < now() - make_interval(days => $1) limit $2 for update skip locked)'
    await transact(this.#pool, (client) => client.query(purge, [this.#retentionDays, PURGE_LIMIT])).catch(
      () => {},
    )
  }
}

async function transact<Client extends PostgresClient, Result>(
  pool: PostgresPool<Client>,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  // Without a listener, a connection that fails between two queries ends the process.
  client.on('error', ignoreError)
  let isUsable = true
  try {
    await client.query('begin')
    const result = await work(client)
    const { command } = await client.query('commit')
    // PostgreSQL answers the commit of a failed transaction with a rollback, and no error.
    if (command !== 'COMMIT')
      throw new Error('The transaction was rolled back: the handler caught the error of a failed statement.')
    return result
  } catch (error) {
    isUsable = await client.query('rollback').then(
      () => true,
      () => false,
    )
    throw error
  } finally {
    client.off('error', ignoreError)
    client.release(!isUsable)
  }
}

/** The queries of a failed connection reject. */
function ignoreError(): void {}
