import Database from 'better-sqlite3'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'
import { listMigrations } from '../../../sql/src/migrations/migrator.ts'
import { sqliteDialect } from '../../src/dialect/sqlite-dialect.ts'
import { sqliteStorage } from '../../src/index.ts'
import { createMigrationDatabase } from '../../src/migrations/migration-database.ts'
import { createTempPath, WORKSPACE } from '../harness.ts'

const AT = '2026-03-01T12:00:00.000Z'
const OTHER = '0191d2f0-0000-7000-8000-000000000002'
const id = (number: number) => `0191d2f0-0000-7000-8000-${String(number).padStart(12, '0')}`

/** Creates a file at migration 0036, with a task and more activities than one batch. */
async function createOldFile(): Promise<string> {
  const path = createTempPath()
  const file = new Database(path)
  const migrations = listMigrations(sqliteDialect)
  const provider = { getMigrations: async () => migrations }
  const migrator = new Migrator({ db: createMigrationDatabase(file), provider })
  expect(await migrator.migrateTo('0036_views')).not.toHaveProperty('error')
  const insert = (table: string, row: object) => {
    const values = { workspace_id: WORKSPACE, created_at: AT, updated_at: AT, ...row }
    const columns = Object.keys(values)
    file
      .prepare(`insert into ${table} (${columns}) values (${columns.map((column) => `@${column}`)})`)
      .run(values)
  }
  const facets = { external_ids: '[{"source":"old","id":"7"}]', search_terms: '_external_old_3a7' }
  insert('tasks', {
    ...{ id: id(1), title: 'Ligar', notes: 'Proposta João', completed: 0, shares: '[]' },
    ...facets,
  })
  for (let number = 1; number <= 150; number += 1)
    insert('activities', {
      ...{ id: id(number), content_html: `<p>Note <b>numb</b>er ${number}</p>`, attachments_count: 0 },
      ...{ external_ids: '[]', search_terms: '' },
    })
  file.close()
  return path
}

test('tasks and activities are found by their words after a migration', async () => {
  const progress: (readonly [string, number])[] = []
  const onProgress = (table: string, rows: number) => progress.push([table, rows])
  const storage = await sqliteStorage({ file: await createOldFile(), onProgress })
  const findIds = (collection: 'tasks' | 'activities', hasPrefix: string, workspace = WORKSPACE) =>
    storage.read(async (tx) => {
      const store = tx.workspace(workspace)[collection] as unknown as typeof tx.users
      const rows = await store.find([{ field: 'search_terms' as 'email', hasPrefix }])
      return rows.map((row) => row.id)
    })
  for (const prefix of ['lig', 'joao', '_external_old_3a7'])
    expect([prefix, await findIds('tasks', prefix)]).toEqual([prefix, [id(1)]])
  expect(await findIds('activities', 'number')).toHaveLength(150)
  expect(await findIds('activities', '149')).toEqual([id(149)])
  expect(await findIds('activities', 'b')).toEqual([])
  expect(await findIds('activities', 'number', OTHER)).toEqual([])
  expect(progress).toEqual([
    ['tasks', 1],
    ['activities', 100],
    ['activities', 150],
  ])
  await storage.check()
  await storage.close()
})
