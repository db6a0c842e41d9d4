import type { Storage } from '@sales-crm/core/ports'
import Database from 'better-sqlite3'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'
import { listMigrations } from '../../../sql/src/migrations/migrator.ts'
import { sqliteDialect } from '../../src/dialect/sqlite-dialect.ts'
import { sqliteStorage } from '../../src/index.ts'
import { createMigrationDatabase } from '../../src/migrations/migration-database.ts'
import { createTempPath, WORKSPACE } from '../harness.ts'

const AT = '2026-03-01T12:00:00.000Z'
const LATER = '2026-03-02T12:00:00.000Z'
const OTHER = '0191d2f0-0000-7000-8000-000000000002'
const THIRD = '0191d2f0-0000-7000-8000-000000000003'
const id = (number: number) => `0191d2f0-0000-7000-8000-${String(number).padStart(12, '0')}`

/** Creates a file at migration 0001, by default with more rows than one migration batch. */
async function createOldFile(people = 2500): Promise<string> {
  const path = createTempPath()
  const file = new Database(path)
  const migrations = listMigrations(sqliteDialect)
  const provider = { getMigrations: async () => migrations }
  await new Migrator({ db: createMigrationDatabase(file), provider }).migrateTo('0001_records')
  const insert = (table: string, row: object) => {
    const columns = Object.keys(row)
    file
      .prepare(`insert into ${table} (${columns}) values (${columns.map((column) => `@${column}`)})`)
      .run(row)
  }
  const baseColumns = (workspace_id: string, number: number) => ({
    workspace_id,
    id: id(number),
    created_at: AT,
    updated_at: AT,
  })
  const contact = {
    emails: '[{"email":"info@acme.example","type":"work"}]',
    phones: '[{"phone":"+55 11 9999","type":"mobile"}]',
  }
  file.exec('begin')
  for (let number = 1; number <= people; number += 1) {
    const person = {
      entity_id: `P-${number}`,
      full_name: `João ${number}`,
      emails: '[]',
      phones: '[]',
      score: 0,
    }
    insert('people', { ...baseColumns(WORKSPACE, number), ...person })
  }
  insert('people', { ...baseColumns(OTHER, 1), entity_id: 'P-1', full_name: 'João', ...contact, score: 0 })
  insert('companies', { ...baseColumns(WORKSPACE, 1), entity_id: 'C-1', full_name: 'Acme Ltda', ...contact })
  insert('pipelines', { ...baseColumns(WORKSPACE, 1), name: 'Sales' })
  const stage = { pipeline_id: id(1), position: 0, name: 'New', type: 'open', probability: 50 }
  insert('stages', { ...baseColumns(WORKSPACE, 1), ...stage })
  const deal = {
    entity_id: 'D-1',
    name: 'Roof',
    amount: 1,
    currency: 'USD',
    pipeline_id: id(1),
    stage_id: id(1),
    person_id: id(7),
  }
  insert('deals', { ...baseColumns(WORKSPACE, 1), ...deal })
  for (const number of [1, 2, 3]) {
    const user = {
      email: `user-${number}@acme.example`,
      name: 'User',
      id: id(number),
      created_at: AT,
      updated_at: AT,
    }
    insert('users', user)
  }
  const app = {
    name: 'App',
    email: 'dev@acme.example',
    redirect_uris: '[]',
    scopes: '["people:read"]',
    active: 1,
  }
  insert('apps', { ...app, id: id(1), created_at: AT, updated_at: AT })
  // In neither chronological nor id order.
  insert('members', { ...baseColumns(THIRD, 1), role: 'admin' })
  insert('members', { ...baseColumns(OTHER, 1), role: 'member', removed_at: AT })
  insert('members', { ...baseColumns(WORKSPACE, 1), created_at: LATER, role: 'owner' })
  insert('members', { ...baseColumns(OTHER, 2), role: 'owner' })
  file.prepare('update people set deleted_at = ? where id = ?').run(AT, id(2500))
  file.exec('commit')
  file.close()
  return path
}

async function findIds(
  storage: Storage,
  collection: 'people' | 'companies' | 'deals' | 'tasks',
  prefix: string,
  workspace = WORKSPACE,
) {
  return storage.read(async (tx) => {
    const rows = await (tx.workspace(workspace)[collection] as unknown as typeof tx.users).find([
      { field: 'search_terms' as 'email', hasPrefix: prefix },
    ])
    return rows.map((row) => row.id)
  })
}

test('a migrated file of the first version is searchable and writable with foreign keys', async () => {
  const path = await createOldFile()
  const storage = await sqliteStorage({ file: path })
  expect(await findIds(storage, 'people', 'joao')).toHaveLength(2499)
  expect(await findIds(storage, 'people', '1234')).toEqual([id(1234)])
  expect(await findIds(storage, 'people', 'joao', OTHER)).toEqual([id(1)])
  expect(await findIds(storage, 'people', 'acme', OTHER)).toEqual([id(1)])
  expect(await findIds(storage, 'companies', '119999')).toEqual([id(1)])
  expect(await findIds(storage, 'deals', 'roo')).toEqual([id(1)])
  await storage.transact(async (tx) => {
    const { people, deals } = tx.workspace(WORKSPACE)
    const person = (await people.get(id(7)))!
    expect(person).toMatchObject({
      full_name: 'João 7',
      tag_ids: [],
      list_ids: [],
      custom_values: {},
      search_terms: 'joao 7',
    })
    await people.update({ ...person, search_terms: 'rita' })
    await expect(tx.savepoint(() => people.hardDelete(id(7)))).rejects.toThrow('FOREIGN KEY')
    expect(await deals.get(id(1))).toMatchObject({ person_id: id(7), search_terms: 'roof' })
  })
  expect(await findIds(storage, 'people', 'rita')).toEqual([id(7)])
  await expect(
    storage.transact(async (tx) => {
      const deal = (await tx.workspace(WORKSPACE).deals.get(id(1)))!
      await tx.workspace(WORKSPACE).deals.update({ ...deal, person_id: id(9999) })
    }),
  ).rejects.toThrow('FOREIGN KEY')
  expect(storage.quickCheck()).toEqual([])
  await storage.close()
  const file = new Database(path)
  expect(file.pragma('foreign_key_check')).toEqual([])
  file.close()
})

test('counts the records of a file of the first version, and later inserts and deletes', async () => {
  const storage = await sqliteStorage({ file: await createOldFile() })
  const query = { page: 1, per_page: 1, order_by: 'created_at', order: 'asc', where: [] } as const
  const totals = () =>
    storage.read(async (tx) => {
      const [first, second] = [tx.workspace(WORKSPACE), tx.workspace(OTHER)]
      const pages = await Promise.all(
        [first.people, second.people, first.deals, first.tasks].map((store) => store.list(query as never)),
      )
      return pages.map(({ total }) => total)
    })
  expect(await totals()).toEqual([2499, 1, 1, 0])
  await storage.transact(async (tx) => {
    const { people, deals } = tx.workspace(WORKSPACE)
    const person = (await people.get(id(1)))!
    await people.insertMany(
      [4001, 4002].map((number) => ({ ...person, id: id(number), entity_id: `P-${number}` })),
    )
    await people.softDelete(id(1), LATER)
    await people.hardDelete(id(2))
    await people.hardDelete(id(2500))
    await deals.hardDelete(id(1))
  })
  expect(await totals()).toEqual([2499, 1, 0, 0])
  await storage.close()
})

test('migration of the first version fills the workspaces of each user by join time, then id', async () => {
  const storage = await sqliteStorage({ file: await createOldFile() })
  const users = await storage.read((tx) => tx.users.find([]))
  expect(users.map(({ workspace_ids }) => workspace_ids)).toEqual([[OTHER, THIRD, WORKSPACE], [OTHER], []])
  await storage.close()
})

test('keeps the apps of a file of the first version with their creator’s email address', async () => {
  const storage = await sqliteStorage({ file: await createOldFile() })
  expect(await storage.read((tx) => tx.apps.find([]))).toMatchObject([
    {
      id: id(1),
      name: 'App',
      email: 'dev@acme.example',
      scopes: ['people:read'],
      active: true,
      kind: 'confidential',
      unused_since: null,
    },
  ])
  await storage.close()
})

const TASK = {
  ...{ id: id(1), title: 'Call', notes: null, due_date: null, type_id: null, priority: null },
  ...{ person_id: null, company_id: null, deal_id: null, owner_user_id: null },
  ...{ completed: false, completed_at: null, external_ids: [], shares: [], search_terms: '' },
  ...{ remind_at: null, followers: [] },
  ...{ created_at: AT, updated_at: AT },
}

/** The columns and indexes of a file. */
function readSchema(path: string): readonly unknown[] {
  const file = new Database(path, { readonly: true })
  const rows = file.prepare('select type, name, sql from sqlite_master order by type, name').all()
  file.close()
  return rows
}

test('a file of every version since the first opens in one step, with its rows', async () => {
  const fresh = createTempPath()
  await (await sqliteStorage({ file: fresh })).close()
  const migrations = listMigrations(sqliteDialect)
  const provider = { getMigrations: async () => migrations }
  for (const version of Object.keys(migrations).sort()) {
    const path = await createOldFile(9)
    const file = new Database(path)
    file.pragma('foreign_keys = off')
    const migrator = new Migrator({ db: createMigrationDatabase(file), provider })
    expect(await migrator.migrateTo(version), version).not.toHaveProperty('error')
    file.close()
    const storage = await sqliteStorage({ file: path })
    expect(await findIds(storage, 'people', 'joao'), version).toHaveLength(9)
    expect(await findIds(storage, 'deals', 'roo'), version).toEqual([id(1)])
    await storage.check()
    await storage.close()
    expect(readSchema(path), version).toEqual(readSchema(fresh))
  }
}, 120_000)

test('names with an apostrophe are found without it after a migration', async () => {
  const path = await createOldFile()
  const file = new Database(path)
  const migrations = listMigrations(sqliteDialect)
  const provider = { getMigrations: async () => migrations }
  file.pragma('foreign_keys = off')
  const migrator = new Migrator({ db: createMigrationDatabase(file), provider })
  expect(await migrator.migrateTo('0018_webhook_creators')).not.toHaveProperty('error')
  file
    .prepare("update people set full_name = 'Ana O’Brien', search_terms = 'ana o brien' where id = ?")
    .run(id(9))
  file.close()
  const storage = await sqliteStorage({ file: path })
  expect(await findIds(storage, 'people', 'obrien')).toEqual([id(9)])
  expect(await findIds(storage, 'people', 'brien')).toEqual([id(9)])
  expect(await findIds(storage, 'people', 'joao')).toHaveLength(2498)
  await storage.close()
})

test('records are found by their facets after a migration, and tasks that are written since', async () => {
  const path = await createOldFile()
  const parsePhone = (phone: string) => `+1${phone.replaceAll(/\D/g, '')}`
  const progress: (readonly [string, number])[] = []
  const onProgress = (table: string, rows: number) => progress.push([table, rows])
  const storage = await sqliteStorage({ file: path, parsePhone, onProgress })
  expect(await findIds(storage, 'companies', '_email_info_40acme_2eexample')).toEqual([id(1)])
  expect(await findIds(storage, 'companies', '_phone_155119999')).toEqual([id(1)])
  expect(await findIds(storage, 'companies', '_name_acme_20ltda')).toEqual([id(1)])
  expect(await findIds(storage, 'people', '_phone_155119999', OTHER)).toEqual([id(1)])
  expect(await findIds(storage, 'people', '_phone_155119999')).toEqual([])
  expect(progress).toContainEqual(['people', 2501])

  const facets = ['_external_a', '_external_b', '_external_c']
  const writeTask = (search_terms: string, isNew = false) =>
    storage.transact((tx) => {
      const { tasks } = tx.workspace(WORKSPACE)
      const row = { ...TASK, search_terms }
      return isNew ? tasks.insert(row) : tasks.update(row)
    })
  await writeTask('_external_a', true)
  for (const terms of ['', '_external_b _external_c', '_external_c']) {
    await writeTask(terms)
    for (const facet of facets)
      expect([terms, facet, await findIds(storage, 'tasks', facet)]).toEqual([
        ...[terms, facet],
        terms.split(' ').includes(facet) ? [TASK.id] : [],
      ])
  }
  await storage.transact((tx) => tx.workspace(WORKSPACE).tasks.softDelete(TASK.id, LATER))
  expect(await findIds(storage, 'tasks', '_external')).toEqual([])
  await storage.close()
})

test('records are found by their followers after a migration, and by their words still', async () => {
  const path = await createOldFile(9)
  const file = new Database(path)
  const migrations = listMigrations(sqliteDialect)
  const provider = { getMigrations: async () => migrations }
  file.pragma('foreign_keys = off')
  const migrator = new Migrator({ db: createMigrationDatabase(file), provider })
  expect(await migrator.migrateTo('0045_calendar_feeds')).not.toHaveProperty('error')
  const follower = { member_id: id(801), since: AT }
  const escaped = `${follower.member_id} ${AT}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, (character) => `_${character.charCodeAt(0).toString(16)}`)
  file.prepare('update people set followers = ? where id = ?').run(JSON.stringify([follower]), id(9))
  file.close()
  const storage = await sqliteStorage({ file: path })
  expect(await findIds(storage, 'people', `_follower_${escaped}`)).toEqual([id(9)])
  expect(await findIds(storage, 'people', 'joao')).toHaveLength(9)
  await storage.close()
})

test('an open invitation has a member who has not joined after a migration, and members have', async () => {
  const path = await createOldFile(9)
  const file = new Database(path)
  const migrations = listMigrations(sqliteDialect)
  const provider = { getMigrations: async () => migrations }
  file.pragma('foreign_keys = off')
  const migrator = new Migrator({ db: createMigrationDatabase(file), provider })
  expect(await migrator.migrateTo('0030_company_names')).not.toHaveProperty('error')
  const stamps = { created_at: AT, updated_at: LATER }
  const insert = (table: string, row: object) =>
    file
      .prepare(
        `insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map((name) => `@${name}`)})`,
      )
      .run({ ...row, ...stamps })
  const member = { workspace_id: WORKSPACE, id: id(801), role: 'owner', removed_at: null, ...stamps }
  insert('members', member)
  const invitation = { workspace_id: WORKSPACE, role: 'admin', invited_by: id(801), expires_at: LATER }
  for (const user of [id(801), id(802)])
    insert('invitations', { id: user, user_id: user, token_hash: user, ...invitation, ...stamps })
  file.close()
  const storage = await sqliteStorage({ file: path })
  const members = await storage.read((tx) => tx.workspace(WORKSPACE).members.getMany([id(801), id(802)]))
  const settings = { language: null, reminder_time: null, notices: {}, calendar_hash: null }
  expect(members.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    { id: id(801), role: 'owner', removed_at: null, has_joined: true, ...settings, ...stamps },
    { id: id(802), role: 'admin', removed_at: AT, has_joined: false, ...settings, ...stamps },
  ])
  await storage.close()
})

test('search results stay the same after VACUUM', async () => {
  const path = await createOldFile()
  await (await sqliteStorage({ file: path })).close()
  const file = new Database(path)
  file.exec(`delete from people where id in ('${id(1)}', '${id(2)}', '${id(600)}')`)
  file.exec('vacuum')
  file.close()
  const storage = await sqliteStorage({ file: path })
  expect(await findIds(storage, 'people', '1234')).toEqual([id(1234)])
  expect(await findIds(storage, 'people', 'joao')).toHaveLength(2496)
  await storage.close()
})
