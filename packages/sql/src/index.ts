export type {
  Dialect,
  LiveRowTriggers,
  MigrationOptions,
  OwnerRowTriggers,
  RowVersion,
  SchemaMigration,
  SettingsVersionTriggers,
  Tables,
  Term,
  TermIndex,
} from './dialect.ts'
export { NO_OWNER, uniqueIndexName } from './dialect.ts'
export type { BoundStatement, Connection, DatabaseDriver, Notifier, Row } from './driver.ts'
export { EntryBudget, LongReadError } from './entry-budget.ts'
export { longTextBytes } from './long-text-bytes.ts'
export { SEARCHED_TABLES } from './migrations/0003-associations.ts'
export { FACET_TABLES } from './migrations/0026-external-ids.ts'
export { createMigrator, findSchemaVersion, type Migrations } from './migrations/migrator.ts'
export { sqlStorage } from './port/storage.ts'
export { SHARED_SCOPE } from './settings-collections.ts'
export { compileStatement, param, type Statement } from './statements/statement.ts'
export { WorkspaceTurns } from './workspace-turns.ts'
