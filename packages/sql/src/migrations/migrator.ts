import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Dialect, MigrationOptions, SchemaMigration, Tables } from '../dialect.ts'
import { createRecordTables } from './0001-records.ts'
import { createAssociationTables } from './0003-associations.ts'
import { createAccountTables } from './0005-accounts.ts'
import { createWebhookTables } from './0006-webhooks.ts'
import { addProgramColumns } from './0007-programs.ts'
import { createStageMoves } from './0008-stage-moves.ts'
import { createLiveRows } from './0009-live-rows.ts'
import { createSettingsVersions } from './0011-settings-versions.ts'
import { renameToStandardNames } from './0014-standard-names.ts'
import { createWorkspaceSizes } from './0015-workspace-sizes.ts'
import { createBoardIndexes } from './0016-board-indexes.ts'
import { createActivityOwnerIndex } from './0017-activity-owners.ts'
import { addWebhookCreators } from './0018-webhook-creators.ts'
import { addApostropheTerms } from './0019-apostrophe-terms.ts'
import { addWorkspaceCountries } from './0020-workspace-countries.ts'
import { addVerifiedAddresses } from './0021-verified-addresses.ts'
import { createRuns } from './0022-runs.ts'
import { createExamples } from './0023-examples.ts'
import { addTaskCompletions } from './0024-task-completions.ts'
import { addStageEntries } from './0025-stage-entries.ts'
import { addExternalIds } from './0026-external-ids.ts'
import { fillFacets } from './0028-facets.ts'
import { createImports } from './0029-imports.ts'
import { fillCompanyNames } from './0030-company-names.ts'
import { addInvitedMembers } from './0031-invited-members.ts'
import { createTeams } from './0032-teams.ts'
import { addVisibility } from './0033-visibility.ts'
import { createOwnerRows } from './0034-owner-rows.ts'
import { createViews } from './0036-views.ts'
import { createBulkChanges } from './0037-bulk-changes.ts'
import { fillWrittenWords } from './0039-written-words.ts'
import { addLostReasons } from './0040-lost-reasons.ts'
import { createDealItems } from './0041-deal-items.ts'
import { addLinkLists } from './0042-link-lists.ts'
import { createDealOffers } from './0043-deal-offers.ts'
import { addNotifications } from './0044-notifications.ts'
import { addCalendarFeeds } from './0045-calendar-feeds.ts'
import { addViewGroups } from './0047-view-groups.ts'
import { fillFollowerFacets } from './0048-follower-facets.ts'
import { createTargets } from './0049-targets.ts'
import { describeUnknown, numberOf } from './unknown-migrations.ts'

/** Migrates a database to the current schema. */
export interface Migrations {
  /** Applies the pending migrations in one transaction, and returns their names. */
  migrate(options?: MigrationOptions): Promise<string[]>
  /** Grows with each migration that changes what a record is. The same on every database of this program. */
  readonly schemaVersion: number
  /** Names of the pending migrations. */
  pending(): Promise<string[]>
}

/**
 * Lists all migrations by name. One that recreates a table drops its triggers: those of `liveRowTriggers` for a
 * table in `COUNTED_COLLECTIONS`, of `ownerRowTriggers` for one with a rule, of `longTextTriggers` for one in
 * `LONG_TEXTS`, and on SQLite those of migrations 0004 and 0027 for one in `SEARCHED_TABLES` or `FACET_TABLES`. It must
 * recreate them; the totals stay correct if the rows are unchanged.
 */
export function listMigrations(
  dialect: Dialect,
  options: MigrationOptions = {},
): Readonly<Record<string, Migration>> {
  const migrations: Readonly<Record<string, SchemaMigration>> = {
    '0001_records': createRecordTables,
    '0003_associations': createAssociationTables,
    '0005_accounts': createAccountTables,
    '0006_webhooks': createWebhookTables,
    '0007_programs': addProgramColumns,
    '0008_stage_moves': createStageMoves,
    '0009_live_rows': createLiveRows,
    '0011_settings_versions': createSettingsVersions,
    '0014_standard_names': renameToStandardNames,
    '0015_workspace_sizes': createWorkspaceSizes,
    '0016_board_indexes': createBoardIndexes,
    '0017_activity_owners': createActivityOwnerIndex,
    '0018_webhook_creators': addWebhookCreators,
    '0019_apostrophe_terms': addApostropheTerms,
    '0020_workspace_countries': addWorkspaceCountries,
    '0021_verified_addresses': addVerifiedAddresses,
    '0022_runs': createRuns,
    '0023_examples': createExamples,
    '0024_task_completions': addTaskCompletions,
    '0025_stage_entries': addStageEntries,
    '0026_external_ids': addExternalIds,
    '0028_facets': fillFacets,
    '0029_imports': createImports,
    '0030_company_names': fillCompanyNames,
    '0031_invited_members': addInvitedMembers,
    '0032_teams': createTeams,
    '0033_visibility': addVisibility,
    '0034_owner_rows': createOwnerRows,
    '0036_views': createViews,
    '0037_bulk_changes': createBulkChanges,
    '0039_written_words': fillWrittenWords,
    '0040_lost_reasons': addLostReasons,
    '0041_deal_items': createDealItems,
    '0042_link_lists': addLinkLists,
    '0043_deal_offers': createDealOffers,
    '0044_notifications': addNotifications,
    '0045_calendar_feeds': addCalendarFeeds,
    '0047_view_groups': addViewGroups,
    '0048_follower_facets': fillFollowerFacets,
    '0049_targets': createTargets,
    ...dialect.migrations,
  }
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migrate]) => [
      name,
      { up: (db) => migrate(db, dialect, options) },
    ]),
  )
}

/** The number of the last migration that all databases have. Those of one database change no record. */
export function findSchemaVersion(dialect: Dialect): number {
  const names = Object.keys(listMigrations(dialect))
  return Math.max(...names.filter((name) => !Object.hasOwn(dialect.migrations, name)).map(numberOf))
}

export function createMigrator(db: Kysely<Tables>, dialect: Dialect): Migrations {
  const migrations = listMigrations(dialect)

  /** @throws Error when the database is newer than this program */
  async function pending(): Promise<string[]> {
    const applied = await readAppliedMigrations(db, dialect)
    const unknown = applied.filter((name) => !Object.hasOwn(migrations, name))
    if (unknown.length > 0) throw new Error(describeUnknown(unknown, Object.keys(migrations)))
    return Object.keys(migrations)
      .filter((name) => !applied.includes(name))
      .sort()
  }

  return {
    schemaVersion: findSchemaVersion(dialect),
    pending,
    async migrate(options = {}) {
      const provider = {
        getMigrations: async () => reportMigrations(listMigrations(dialect, options), options),
      }
      const { error, results } = await new Migrator({ db, provider }).migrateToLatest()
      if (error) {
        await pending()
        throw error
      }
      return (results ?? []).map(({ migrationName }) => migrationName)
    },
  }
}

function reportMigrations(
  migrations: Readonly<Record<string, Migration>>,
  { onMigration }: MigrationOptions,
): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [
      name,
      {
        async up(db) {
          await up(db)
          onMigration?.(name)
        },
      } satisfies Migration,
    ]),
  )
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
