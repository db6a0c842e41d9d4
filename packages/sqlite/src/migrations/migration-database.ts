import type { Tables } from '@sales-crm/sql'
import type Database from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from 'kysely'

/** The file as a Kysely database, for its migrator. */
export function createMigrationDatabase(db: Database.Database): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new ImmediateDialect({ database: db }) })
}

class ImmediateDialect extends SqliteDialect {
  readonly #database: Database.Database
  constructor(config: { database: Database.Database }) {
    super(config)
    this.#database = config.database
  }
  override createAdapter() {
    return new TransactionalAdapter()
  }
  override createDriver() {
    return new ImmediateDriver({ database: this.#database })
  }
}

/** SQLite rolls back schema changes, which Kysely's adapter does not assume. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

/** Takes the write lock at once, so one of two concurrent migrations waits for the other. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}
