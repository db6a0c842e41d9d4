import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { SHARED_SCOPE } from '../settings-collections.ts'

/** Tables with a version. */
export const VERSIONED_TABLES = [
  'members',
  'pipelines',
  'stages',
  'task_types',
  'custom_fields',
  'webhooks',
] as const
export const SHARED_VERSIONED_TABLES = ['users', 'workspaces'] as const

/**
 * Adds a version for the settings of each workspace and for the shared settings: a text that is replaced by a
 * new, never used one with each change. Triggers do this, so that no program that changes settings can omit
 * it.
 */
export async function createSettingsVersions(
  db: Kysely<Tables>,
  { columnTypes, settingsVersionTriggers }: Dialect,
): Promise<void> {
  const { uuid, text } = columnTypes
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run(`create table settings_versions (scope ${uuid} primary key, version ${text} not null)`)
  await run(`insert into settings_versions select id, ${settingsVersionTriggers.newVersion} from workspaces`)
  await run(`insert into settings_versions values ('${SHARED_SCOPE}', ${settingsVersionTriggers.newVersion})`)
  const triggers = [
    ...settingsVersionTriggers.functions,
    ...VERSIONED_TABLES.flatMap((table) =>
      settingsVersionTriggers.createTriggers(table, ['insert', 'update', 'delete']),
    ),
    ...SHARED_VERSIONED_TABLES.flatMap((table) =>
      settingsVersionTriggers.createTriggers(table, ['update', 'delete'], SHARED_SCOPE),
    ),
  ]
  for (const trigger of triggers) await run(trigger)
}
