import type { AccessGate, Storage } from '@sales-crm/core/ports'
import { findSchemaVersion, type MigrationOptions, type Migrations, sqlStorage } from '@sales-crm/sql'
import { postgresDialect } from './dialect/postgres-dialect.ts'
import {
  type DistributeOptions,
  type Distribution,
  distributeTables,
} from './distribution/distribute-tables.ts'
import { distributedDialect } from './distribution/distributed-dialect.ts'
import { readIsDistributed } from './distribution/read-distribution.ts'
import type { PoolOptions } from './pool-options.ts'
import { PostgresDatabase, runMigrations } from './postgres-database.ts'
import type { ReplicaState, Replication } from './servers/server-states.ts'

export type { DistributeOptions, Distribution } from './distribution/distribute-tables.ts'
export type { PoolOptions } from './pool-options.ts'
export type { ReplicaState, Replication, Standby } from './servers/server-states.ts'

/** A PostgreSQL database: what `createCrm` takes as `storage`. */
export interface PostgresStorage extends Storage, Migrations {
  /** The same on every database of this program. */
  readonly schemaVersion: number
  /** Authorizes by grants and rate limit windows that all processes on this database share. */
  readonly gate: AccessGate
  /** `PostgreSQL 18.4` */
  version(): Promise<string>
  /** The state of the servers as the one that takes writes sees it. */
  replication(): Promise<Replication>
  /** True if the rows of workspaces were spread over several servers when the storage was opened. */
  readonly isDistributed: boolean
  /**
   * Spreads the rows of workspaces over the servers of Citus, in one transaction. Tables that are spread already stay so.
   * Storages that are open must be opened again.
   * @throws Error with one line that says what to do
   */
  distribute(options?: DistributeOptions): Promise<Distribution>
  /** The tables of workspaces that are on one server although others are spread over several. */
  undistributed(): Promise<readonly string[]>
  /** The state of the replicas that reads go to, in the order of their URLs. */
  replicas(): Promise<readonly ReplicaState[]>
}

/**
 * Opens a database and applies pending migrations unless `migrate` is false. Of several processes that start
 * at once, one migrates and the others wait.
 */
export async function postgresStorage(
  options: PoolOptions &
    MigrationOptions & {
      readonly migrate?: boolean
      /** Called with the names of the migrations that are about to run. */
      readonly onPending?: (names: readonly string[]) => void
    },
): Promise<PostgresStorage> {
  if (typeof Object(options).url !== 'string' || options.url === '')
    throw new TypeError(
      'postgresStorage needs the option url: postgresStorage({ url: "postgres://user:password@host:5432/database" }).',
    )
  const isDistributed = await readIsDistributed(options)
  const database = new PostgresDatabase(options, isDistributed)
  try {
    const pending = options.migrate === false ? [] : await database.pending()
    if (pending.length > 0) {
      options.onPending?.(pending)
      await runMigrations({ ...options, isDistributed })
    }
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    ...sqlStorage(database, isDistributed ? distributedDialect : postgresDialect),
    gate: database.gate,
    schemaVersion: findSchemaVersion(postgresDialect),
    migrate: (hooks) => database.track(() => runMigrations({ ...options, ...hooks, isDistributed })),
    pending: () => database.pending(),
    version: () => database.version(),
    replication: () => database.replication(),
    replicas: () => database.replicas(),
    isDistributed,
    distribute: (hooks) => database.track(() => distributeTables(options, hooks)),
    undistributed: async () => (isDistributed ? database.undistributed() : []),
  }
}
