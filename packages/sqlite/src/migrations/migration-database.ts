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

/** The file as Kysely's migrator wants it. */
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

/** SQLite takes its schema changes back like any others, whatever Kysely supposes. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

/** Takes the write lock first, so that of two processes that migrate at once one waits for the other. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}
