import type { Tables } from '@sales-crm/sql'
import type Database from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/** The file as a Kysely database, for its migrator. */
export function createMigrationDatabase(db: Database.Database): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new TransactionalAdapter(),
      createDriver: () => new ImmediateDriver({ database: db }),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
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
