import type { AccessGate, Storage } from '@sales-crm/core/ports'
import { type Migrations, sqlStorage } from '@sales-crm/sql'
import { postgresDialect } from './dialect/postgres-dialect.ts'
import type { PoolOptions } from './pool-options.ts'
import { PostgresDatabase, runMigrations } from './postgres-database.ts'

export type { PoolOptions } from './pool-options.ts'

/** A PostgreSQL database: what `createCrm` takes as `storage`. */
export interface PostgresStorage extends Storage, Migrations {
  /** Authorizes by grants and rate limit windows that all processes on this database share. */
  readonly gate: AccessGate
  /** `PostgreSQL 18.4` */
  version(): Promise<string>
}

/**
 * Opens a database and applies pending migrations unless `migrate` is false. Of several processes that start
 * at once, one migrates and the others wait.
 */
export async function postgresStorage(
  options: PoolOptions & {
    readonly migrate?: boolean
    /** Called with the name of each migration that was applied. */
    readonly onMigration?: (name: string) => void
  },
): Promise<PostgresStorage> {
  if (typeof Object(options).url !== 'string' || options.url === '')
    throw new TypeError(
      'postgresStorage needs the option url: postgresStorage({ url: "postgres://user:password@host:5432/database" }).',
    )
  const database = new PostgresDatabase(options)
  try {
    if (options.migrate !== false && (await database.pending()).length > 0)
      for (const name of await runMigrations(options)) options.onMigration?.(name)
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    ...sqlStorage(database, postgresDialect),
    gate: database.gate,
    migrate: () => database.track(() => runMigrations(options)),
    pending: () => database.pending(),
    version: () => database.version(),
  }
}
