import type { ReadOptions, TransactOptions } from '@sales-crm/core/ports'
import {
  type Connection,
  createMigrator,
  type DatabaseDriver,
  type MigrationOptions,
  type Migrations,
  type Tables,
} from '@sales-crm/sql'
import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import { postgresDialect } from './dialect/postgres-dialect.ts'
import { SELECT_UNDISTRIBUTED } from './distribution/distribute-tables.ts'
import { PostgresNotifier } from './notifications.ts'
import type { PoolOptions } from './pool-options.ts'
import { PostgresAccessGate } from './rate-limiter.ts'
import { Leader } from './servers/leader.ts'
import { ReadPositions } from './servers/read-positions.ts'
import { Replicas } from './servers/replicas.ts'
import { readReplication } from './servers/replication.ts'
import type { ReplicaState, Replication } from './servers/server-states.ts'
import { prepareGroupConnection } from './transactions/group-commit.ts'
import { createLazyTransactions } from './transactions/lazy-transaction.ts'
import { PooledTransactions } from './transactions/pooled-transactions.ts'
import { retry } from './transactions/retry.ts'
import { ServerReads } from './transactions/server-reads.ts'
import { type ConnectionOptions, createPool, migrationPool } from './wire/pool.ts'
import { SharedConnection } from './wire/shared-connection.ts'

/** Has its own timeout, so a readiness check answers soon. */
const READ_ONLY_QUERY = { text: 'show transaction_read_only', query_timeout: 3000 }

type Work<T> = (connection: Connection) => Promise<T>

/** The connections of a process to a database, and the choice of one for each transaction. */
export class PostgresDatabase implements DatabaseDriver {
  readonly gate: PostgresAccessGate
  readonly notifier?: PostgresNotifier
  readonly #pool: Pool
  readonly #lookups: SharedConnection
  readonly #groupConnection: SharedConnection
  readonly #pooled: PooledTransactions
  readonly #transactDurably: DatabaseDriver['transact']
  readonly #reads: ServerReads
  readonly #replicas?: Replicas
  readonly #idle = Promise.withResolvers<void>()
  #inFlightCount = 0
  #closing: Promise<void> | undefined

  /** @param isDistributed true if the rows of workspaces are spread over several servers */
  constructor(poolOptions: PoolOptions, isDistributed = false) {
    const options = { ...poolOptions, leader: new Leader(poolOptions.url), isDistributed }
    this.#pool = createPool(options)
    // A position in the log of one of several servers says nothing about the rows of the others.
    const readUrls = isDistributed ? [] : (options.readUrls ?? [])
    const positions = readUrls.length > 0 ? new ReadPositions() : undefined
    this.gate = new PostgresAccessGate(options, positions)
    this.#lookups = new SharedConnection(options)
    this.#groupConnection = new SharedConnection(options, prepareGroupConnection)
    const isPrepared = options.prepared !== false
    // A pooler in transaction mode does not support LISTEN; workers then poll.
    if (isPrepared) this.notifier = new PostgresNotifier(this.#pool, options)
    this.#pooled = new PooledTransactions(this.#pool, options)
    // Behind a pooler, session settings do not persist and are set in each transaction.
    this.#transactDurably = isPrepared
      ? createLazyTransactions(this.#pooled, this.#lookups, this.#groupConnection, isDistributed)
      : (work) => this.#pooled.transact(work)
    this.#reads = new ServerReads(options, this.#pooled)
    if (positions) this.#replicas = new Replicas({ ...options, readUrls }, this.#pool, positions)
  }

  transact<T>(work: Work<T>, options?: TransactOptions): Promise<T> {
    return this.track(() =>
      options?.durability === 'relaxed' ? this.#pooled.transact(work, options) : this.#transactDurably(work),
    )
  }

  read<T>(work: Work<T>, options?: ReadOptions): Promise<T> {
    return this.track(async () => {
      const found = this.#replicas && (await this.#replicas.read(work, options))
      return found ? found.result : this.#reads.read(work, options)
    })
  }

  async check(): Promise<void> {
    const { rows } = await this.track(() =>
      this.#pool.query<{ transaction_read_only: string }>(READ_ONLY_QUERY),
    )
    if (rows[0]?.transaction_read_only === 'on') throw new Error('The database takes no writes.')
    const missingMigrations = await this.pending()
    if (missingMigrations.length > 0)
      throw new Error(`The database lacks ${missingMigrations.join(', ')}. Run the migrate command.`)
  }

  /** The names of the migrations that are not applied. */
  pending(): Promise<string[]> {
    return this.track(() => createPoolMigrator(this.#pool).pending())
  }

  async version(): Promise<string> {
    const { rows } = await this.track(() =>
      this.#pool.query<{ version: string }>("select current_setting('server_version') as version"),
    )
    return `PostgreSQL ${rows[0]!.version}`
  }

  /** The tables of workspaces that are not spread over the servers of Citus. */
  async undistributed(): Promise<readonly string[]> {
    const { rows } = await this.track(() => this.#pool.query<{ name: string }>(SELECT_UNDISTRIBUTED))
    return rows.map(({ name }) => name)
  }

  replication(): Promise<Replication> {
    return this.track(() => readReplication(this.#pool))
  }

  /** Of the URLs of replicas, as they are now. */
  replicas(): Promise<readonly ReplicaState[]> {
    return this.track(async () => {
      await this.#replicas?.update()
      return this.#replicas?.states() ?? []
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#waitAndClose()
    return this.#closing
  }

  /** Counts work in flight: ending the pool would reject what waits for a connection. */
  async track<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing) throw new Error('The storage is closed.')
    this.#inFlightCount += 1
    try {
      return await work()
    } finally {
      this.#inFlightCount -= 1
      if (this.#closing && this.#inFlightCount === 0) this.#idle.resolve()
    }
  }

  async #waitAndClose(): Promise<void> {
    if (this.#inFlightCount > 0) await this.#idle.promise
    await this.notifier?.close()
    await this.#replicas?.close()
    await Promise.all([
      this.gate.close(),
      this.#lookups.close(),
      this.#reads.close(),
      this.#groupConnection.close(),
      this.#pool.end(),
    ])
  }
}

/** Migrates over a connection of its own. */
export async function runMigrations(options: ConnectionOptions & MigrationOptions): Promise<string[]> {
  const pool = migrationPool(options)
  try {
    return await retry(() => createPoolMigrator(pool).migrate(options))
  } finally {
    await pool.end()
  }
}

function createPoolMigrator(pool: Pool): Migrations {
  return createMigrator(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), postgresDialect)
}
