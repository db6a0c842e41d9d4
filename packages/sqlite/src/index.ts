import './supported-node.ts'

import type { Storage } from '@sales-crm/core/ports'
import { findSchemaVersion, type MigrationOptions, type Migrations, sqlStorage } from '@sales-crm/sql'
import { sqliteDialect } from './dialect/sqlite-dialect.ts'
import { parsePath } from './files/database-path.ts'
import { SqliteDatabase, withMigrator } from './sqlite-database.ts'

export { acquireProcessLock, type ProcessLock } from './files/process-lock.ts'
export { type RestoreOptions, restoreDatabase } from './files/restore.ts'

/** A SQLite file: what `createCrm` takes as `storage`. */
export interface SqliteStorage extends Storage, Migrations {
  /** The same on every database of this program. */
  readonly schemaVersion: number
  /**
   * Writes a consistent copy while the service runs, readable by its owner alone.
   * @throws Error when `to` exists
   */
  backup(to: string): Promise<void>
  /**
   * Tries a write and rolls it back. Does nothing while another process writes.
   * @throws Error when this user or the disk does not allow writes
   */
  assertWritable(): void
  /** The problems that `pragma quick_check` reports; empty for a sound file. */
  quickCheck(): string[]
  /** Why the size of the file is wrong: SQLite reads the missing end of a last page as zeros. */
  sizeProblem(): string | undefined
  /** A wrong size, and the problems that `pragma integrity_check` reports. Reads every page, on another thread. */
  integrityCheck(): Promise<string[]>
  /** `SQLite 3.53.0` */
  version(): Promise<string>
}

/**
 * Opens a file, creating it if missing, in WAL mode with `synchronous=FULL`: acknowledged writes survive a
 * power failure, except those with relaxed durability. Applies pending migrations unless `migrate` is false.
 * @throws Error of one line for a file that is damaged, of a newer version, hard-linked, or not a database
 */
export async function sqliteStorage(
  options: MigrationOptions & {
    readonly file: string
    readonly migrate?: boolean
    /** Called with the names of the migrations that are about to run. */
    readonly onPending?: (names: readonly string[]) => void
    /** Receives one line for the operator when files were found changed and what was done about it. */
    readonly onWarning?: (message: string) => void
  },
): Promise<SqliteStorage> {
  const path = parsePath(options)
  await withMigrator(path, async (migrator) => {
    const pending = await migrator.pending()
    if (pending.length === 0 || options.migrate === false) return
    options.onPending?.(pending)
    await migrator.migrate(options)
  })
  const database = new SqliteDatabase(path, options.onWarning)
  return {
    ...sqlStorage(database, sqliteDialect),
    // One statement at a time: a second call waits for files from outside, if any.
    concurrency: 2,
    schemaVersion: findSchemaVersion(sqliteDialect),
    migrate: (hooks) => withMigrator(path, (migrator) => migrator.migrate({ ...options, ...hooks })),
    pending: () => withMigrator(path, (migrator) => migrator.pending()),
    backup: (to) => database.backup(to),
    assertWritable: () => database.assertWritable(),
    sizeProblem: () => database.sizeProblem(),
    quickCheck: () => database.quickCheck(),
    integrityCheck: () => database.integrityCheck(),
    version: () => database.version(),
  }
}
