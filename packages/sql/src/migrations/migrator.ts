import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import type { Dialect, Tables } from '../dialect.ts'
import { records } from './0001-records.ts'
import { associations } from './0003-associations.ts'
import { accounts } from './0005-accounts.ts'
import { webhooks } from './0006-webhooks.ts'
import { programs } from './0007-programs.ts'
import { stageMoves } from './0008-stage-moves.ts'
import { liveRows } from './0009-live-rows.ts'
import { settingsVersions } from './0011-settings-versions.ts'
import { standardNames } from './0014-standard-names.ts'
import { workspaceSizes } from './0015-workspace-sizes.ts'
import { boardIndexes } from './0016-board-indexes.ts'

/** Migrates a database to the current schema. */
export interface Migrations {
  /** Applies the pending migrations and returns their names. */
  migrate(): Promise<string[]>
  /** Names of the pending migrations. */
  pending(): Promise<string[]>
}

/**
 * A migration that recreates a table drops its triggers: those of `liveRowTriggers` for a table in
 * `COUNTED_COLLECTIONS`, those of `longTextTriggers` for one in `LONG_TEXTS`, and on SQLite those of migration
 * 0004 for one in `SEARCHED_TABLES`. It must recreate them; the totals stay correct if the rows are unchanged.
 */
export function createMigrator(db: Kysely<Tables>, dialect: Dialect): Migrations {
  const allMigrations: Record<string, Migration> = {
    '0001_records': records(dialect),
    '0003_associations': associations(dialect),
    '0005_accounts': accounts(dialect),
    '0006_webhooks': webhooks(dialect),
    '0007_programs': programs(dialect),
    '0008_stage_moves': stageMoves(dialect),
    '0009_live_rows': liveRows(dialect),
    '0011_settings_versions': settingsVersions(dialect),
    '0014_standard_names': standardNames,
    '0015_workspace_sizes': workspaceSizes(dialect),
    '0016_board_indexes': boardIndexes(dialect),
    ...dialect.migrations,
  }
  const provider: MigrationProvider = { getMigrations: async () => allMigrations }
  const migrator = new Migrator({ db, provider })

  return {
    async migrate() {
      const { error, results } = await migrator.migrateToLatest()
      if (error) throw explainMigrationError(error)
      return (results ?? []).map(({ migrationName }) => migrationName)
    },
    async pending() {
      const applied = await readAppliedMigrations(db, dialect)
      const unknown = applied.filter((name) => !Object.hasOwn(allMigrations, name))
      if (unknown.length > 0) throw newerVersionError(unknown)
      return Object.keys(allMigrations)
        .filter((name) => !applied.includes(name))
        .sort()
    },
  }
}

/** Kysely's migrator would first introspect every column of every table. */
async function readAppliedMigrations(db: Kysely<Tables>, { hasTable }: Dialect): Promise<string[]> {
  const { rows: results } = await sql<{
    answer: unknown
  }>`select ${hasTable('kysely_migration')} as answer`.execute(db)
  if (!results[0]?.answer) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

function explainMigrationError(error: unknown): unknown {
  const text = error instanceof Error ? error.message : ''
  const missing = /previously executed migration (\S+) is missing/.exec(text)?.[1]
  return missing === undefined ? error : newerVersionError([missing])
}

function newerVersionError(names: readonly string[]): Error {
  return new Error(
    `The database was made by a newer version of this program (it has ${names.join(', ')}). Run that version or a later one.`,
  )
}
