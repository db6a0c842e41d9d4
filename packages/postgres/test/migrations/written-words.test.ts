import type { Tables } from '@sales-crm/sql'
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { listMigrations } from '../../../sql/src/migrations/migrator.ts'
import { postgresDialect } from '../../src/dialect/postgres-dialect.ts'
import { postgresStorage } from '../../src/index.ts'
import { freshDatabase } from '../fresh-database.ts'

const server = inject('postgresUrl')
const WORKSPACE = '0191d2f0-0000-7000-8000-000000000001'
const OTHER = '0191d2f0-0000-7000-8000-000000000002'

/** Creates a database at migration 0036, with a task and more activities than one batch. */
async function createOldDatabase(): Promise<string> {
  const url = await freshDatabase(server!)
  const pool = new pg.Pool({ connectionString: url })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const migrations = listMigrations(postgresDialect)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  expect(await migrator.migrateTo('0036_views')).not.toHaveProperty('error')
  await pool.query(`insert into tasks (workspace_id, id, title, notes, completed, external_ids, shares, search_terms, created_at, updated_at)
    values ('${WORKSPACE}', '${WORKSPACE}', 'Ligar', 'Proposta João', false, '[{"source":"old","id":"7"}]', '[]', '_external_old_3a7', now(), now())`)
  await pool.query(`insert into activities (workspace_id, id, content_html, attachments_count, external_ids, search_terms, created_at, updated_at)
    select '${WORKSPACE}', gen_random_uuid(), '<p>Note <b>numb</b>er ' || nth || '</p>', 0, '[]', '', now(), now() from generate_series(1, 150) as nth`)
  await pool.end()
  return url
}

describe.runIf(server !== null)('a database with tasks and activities', () => {
  test('has them found by their words after a migration', async () => {
    const storage = await postgresStorage({ url: await createOldDatabase() })
    const count = (collection: 'tasks' | 'activities', hasPrefix: string, workspace = WORKSPACE) =>
      storage.read(async (tx) => {
        const store = tx.workspace(workspace)[collection] as unknown as typeof tx.users
        return (await store.find([{ field: 'search_terms' as 'email', hasPrefix }])).length
      })
    for (const prefix of ['lig', 'joao', '_external_old_3a7'])
      expect([prefix, await count('tasks', prefix)]).toEqual([prefix, 1])
    expect(await count('activities', 'number')).toBe(150)
    expect(await count('activities', '149')).toBe(1)
    expect(await count('activities', 'b')).toBe(0)
    expect(await count('activities', 'number', OTHER)).toBe(0)
    await storage.close()
  })
})
