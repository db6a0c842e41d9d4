import type { Storage } from '@sales-crm/core/ports'
import { createMigrator, type DatabaseDriver, type Migrations, sqlStorage, type Tables } from '@sales-crm/sql'
import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import { postgresDialect } from './dialect/postgres-dialect.ts'
import { createNotifier } from './notifications.ts'
import type { PoolOptions } from './pool-options.ts'
import { createAccessGate, type PostgresAccessGate } from './rate-limiter.ts'
import { createAutocommitReads } from './transactions/autocommit.ts'
import { prepareGroupConnection } from './transactions/group-commit.ts'
import { createLazyTransactions } from './transactions/lazy-transaction.ts'
import { createPooledTransactions } from './transactions/pooled-transactions.ts'
import { retry } from './transactions/retry.ts'
import { createSemaphore } from './transactions/semaphore.ts'
import { createPool, migrationPool } from './wire/pool.ts'
import { createSharedConnection } from './wire/shared-connection.ts'

export type { PoolOptions } from './pool-options.ts'

/** Has its own timeout, so a readiness check answers soon. */
const READ_ONLY_QUERY = { text: 'show transaction_read_only', query_timeout: 3000 }

/** Each report holds a connection of the pool while it runs. */
const MAX_REPORTS = 3

/** A PostgreSQL database: what `createCrm` takes as `storage`. */
export interface PostgresStorage extends Storage, Migrations {
  /** Authorizes by grants and rate limit windows that all processes on this database share. */
  readonly gate: PostgresAccessGate
  /** `PostgreSQL 18.4` */
  version(): Promise<string>
}

/**
 * Opens a database and applies pending migrations unless `migrate` is false. Of several processes that start
 * at once, one migrates and the others wait.
 */
export async function postgresStorage(
  options: PoolOptions & { readonly migrate?: boolean },
): Promise<PostgresStorage> {
  if (typeof Object(options).url !== 'string' || options.url === '')
    throw new TypeError(
      'postgresStorage needs the option url: postgresStorage({ url: "postgres://user:password@host:5432/database" }).',
    )
  const pool = createPool(options)
  const { pending } = createPoolMigrator(pool)
  const gate = createAccessGate(options)
  const lookups = createSharedConnection(options)
  const groupConnection = createSharedConnection(options, prepareGroupConnection)
  // A pooler in transaction mode does not support LISTEN; workers then poll.
  const notifier = options.prepared === false ? undefined : createNotifier(pool, options)
  const limitReports = createSemaphore(MAX_REPORTS)
  let inFlight = 0
  let closing: Promise<void> | undefined
  const idle = Promise.withResolvers<void>()

  /** Counts transactions in flight: ending the pool would reject those that wait for a connection. */
  async function trackInFlight<T>(run: () => Promise<T>): Promise<T> {
    if (closing) throw new Error('The storage is closed.')
    inFlight += 1
    try {
      return await run()
    } finally {
      inFlight -= 1
      if (closing && inFlight === 0) idle.resolve()
    }
  }

  async function close(): Promise<void> {
    if (inFlight > 0) await idle.promise
    await notifier?.close()
    await Promise.all([gate.close(), lookups.close(), groupConnection.close(), pool.end()])
  }

  try {
    if (options.migrate !== false && (await pending()).length > 0) await runMigrations(options)
  } catch (error) {
    await close()
    throw error
  }

  const pooledTransactions = createPooledTransactions(pool, options.prepared !== false)
  // Behind a pooler, session settings do not persist and are set in each transaction.
  const [transactDurably, readStatement] =
    options.prepared === false
      ? [pooledTransactions.transact, pooledTransactions.read]
      : [createLazyTransactions(pooledTransactions, lookups, groupConnection), createAutocommitReads(lookups)]

  const transact: DatabaseDriver['transact'] = (work, transactOptions) =>
    transactOptions?.durability === 'relaxed'
      ? pooledTransactions.transact(work, transactOptions)
      : transactDurably(work)

  const read: DatabaseDriver['read'] = (work, readOptions) => {
    if (readOptions?.workload === 'report') return limitReports(() => pooledTransactions.read(work))
    return readOptions?.isolation === 'statement' ? readStatement(work) : pooledTransactions.read(work)
  }

  const storage = sqlStorage(
    {
      transact: (work, transactOptions) => trackInFlight(() => transact(work, transactOptions)),
      read: (work, readOptions) => trackInFlight(() => read(work, readOptions)),
      ...(notifier && { notifier }),
      async check() {
        const { rows } = await trackInFlight(() =>
          pool.query<{ transaction_read_only: string }>(READ_ONLY_QUERY),
        )
        if (rows[0]?.transaction_read_only === 'on') throw new Error('The database takes no writes.')
        const missingMigrations = await trackInFlight(pending)
        if (missingMigrations.length > 0)
          throw new Error(`The database lacks ${missingMigrations.join(', ')}. Run the migrate command.`)
      },
      close() {
        closing ??= close()
        return closing
      },
    },
    postgresDialect,
  )
  return {
    ...storage,
    migrate: () => trackInFlight(() => runMigrations(options)),
    pending: () => trackInFlight(pending),
    gate,
    async version() {
      const { rows } = await trackInFlight(() =>
        pool.query<{ version: string }>("select current_setting('server_version') as version"),
      )
      return `PostgreSQL ${rows[0]!.version}`
    },
  }
}

function createPoolMigrator(pool: Pool): Migrations {
  return createMigrator(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), postgresDialect)
}

async function runMigrations(options: PoolOptions): Promise<string[]> {
  const pool = migrationPool(options)
  try {
    return await retry(() => createPoolMigrator(pool).migrate())
  } finally {
    await pool.end()
  }
}
