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
const [WORKSPACE, OTHER] = [
  '0191d2f0-0000-7000-8000-000000000001',
  '0191d2f0-0000-7000-8000-000000000002',
] as const
const COLUMNS = 'workspace_id, id, name, color, key, created_at'

function insertTagsSql(count: number, workspace: string = WORKSPACE): string {
  return `insert into tags (${COLUMNS}) select '${workspace}'::uuid, gen_random_uuid(), 'Tag', '#000000', gen_random_uuid()::text, now() from generate_series(1, ${count})`
}

async function createMigratedDatabase(): Promise<string> {
  const url = await freshDatabase(server!)
  await (await postgresStorage({ url })).close()
  return url
}

/** Migrates to the last version without counted tables. */
async function migrateWithoutCounts(url: string): Promise<void> {
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
  })
  const migrations = listMigrations(postgresDialect)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateTo('0008_stage_moves')
  expect(error).toBeUndefined()
  await db.destroy()
}

async function connectClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // The server closes clients that a failed test leaves open.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function readTotals(client: pg.Client): Promise<number[]> {
  const total =
    'select sum(total)::integer as total from live_rows where workspace_id = $1 and table_name = $2'
  const each = await Promise.all(
    [WORKSPACE, OTHER].map((workspace) => client.query<{ total: number | null }>(total, [workspace, 'tags'])),
  )
  return each.map(({ rows }) => rows[0]!.total ?? 0)
}

describe.runIf(server !== null)('row counts by triggers', () => {
  test('follow raw SQL that inserts many, soft-deletes, restores, deletes and truncates', async () => {
    const client = await connectClient(await createMigratedDatabase())
    await client.query(
      `${insertTagsSql(3000)} union all ${insertTagsSql(5, OTHER).replace(/^.*?select/, 'select')}`,
    )
    expect(await readTotals(client)).toEqual([3000, 5])
    const limitTo = (where: string, limit: number) =>
      `where id in (select id from tags where ${where} limit ${limit})`
    await client.query(`update tags set deleted_at = now() ${limitTo(`workspace_id = '${WORKSPACE}'`, 10)}`)
    await client.query(
      "update tags set deleted_at = now() + interval '1 hour', name = 'Deleted' where deleted_at is not null",
    )
    expect(await readTotals(client)).toEqual([2990, 5])
    await client.query(`update tags set deleted_at = null ${limitTo('deleted_at is not null', 1)}`)
    expect(await readTotals(client)).toEqual([2991, 5])
    await client.query(`delete from tags where workspace_id = '${WORKSPACE}'`)
    expect(await readTotals(client)).toEqual([0, 5])
    await client.query(insertTagsSql(2))
    await client.query('truncate tags')
    expect(await readTotals(client)).toEqual([0, 0])
    await client.end()
  })

  test('write one row for a statement with thousands of rows', async () => {
    const client = await connectClient(await createMigratedDatabase())
    await client.query(insertTagsSql(1))
    const figures =
      "pg_stat_get_xact_tuples_inserted('live_rows'::regclass) + pg_stat_get_xact_tuples_updated('live_rows'::regclass)"
    const countWrites = async () =>
      (await client.query<{ writes: number }>(`select (${figures})::integer as writes`)).rows[0]!.writes
    await client.query('begin')
    const before = await countWrites()
    await client.query(insertTagsSql(3000))
    expect((await countWrites()) - before).toBe(1)
    await client.query('commit')
    await client.end()
  })

  test('do not block concurrent transactions in opposite orders, even beyond the initial slots', async () => {
    const url = await createMigratedDatabase()
    const clients = await Promise.all(Array.from({ length: 70 }, () => connectClient(url)))
    const list = `insert into lists (workspace_id, id, name, created_at) values ('${WORKSPACE}', gen_random_uuid(), 'List', now())`
    const savepoint = 'savepoint attempt'
    for (const [nth, client] of clients.entries()) {
      // Nothing commits until all have written, so a blocked writer would hit its lock timeout.
      const writes = nth % 2 === 0 ? [insertTagsSql(1), list] : [list, insertTagsSql(1)]
      await client.query('set lock_timeout = 2000')
      for (const step of ['begin', savepoint, insertTagsSql(9), 'rollback to attempt', ...writes])
        await client.query(step)
    }
    for (const client of clients) await client.query('commit')
    expect(await readTotals(clients[0]!)).toEqual([70, 0])
    await Promise.all(clients.map((client) => client.end()))
  })

  test('start after a migration waits for open writes, and include an older process', async () => {
    const url = await freshDatabase(server!)
    const [older, admin] = [await connectClient(url), await connectClient(url)]
    await migrateWithoutCounts(url)
    await older.query(insertTagsSql(3))
    await older.query('begin')
    await older.query(insertTagsSql(4))
    const migratedStorage = postgresStorage({ url })
    const blockedLock =
      "select from pg_locks join pg_class on pg_class.oid = relation where relname = 'tags' and not granted"
    while ((await admin.query(blockedLock)).rowCount === 0) await new Promise(setImmediate)
    await older.query('commit')
    const storage = await migratedStorage
    await older.query(insertTagsSql(5))
    expect(await readTotals(admin)).toEqual([12, 0])
    await storage.close()
    await Promise.all([older.end(), admin.end()])
  })
})
