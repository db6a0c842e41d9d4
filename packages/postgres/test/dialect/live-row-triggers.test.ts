import type { Tables } from '@sales-crm/sql'
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { records } from '../../../sql/src/migrations/0001-records.ts'
import { associations } from '../../../sql/src/migrations/0003-associations.ts'
import { accounts } from '../../../sql/src/migrations/0005-accounts.ts'
import { webhooks } from '../../../sql/src/migrations/0006-webhooks.ts'
import { programs } from '../../../sql/src/migrations/0007-programs.ts'
import { stageMoves } from '../../../sql/src/migrations/0008-stage-moves.ts'
import { postgresDialect } from '../../src/dialect/postgres-dialect.ts'
import { postgresStorage } from '../../src/index.ts'
import { freshDatabase } from '../fresh-database.ts'

const server = inject('postgresUrl')
const [HERE, THERE] = [
  '0191d2f0-0000-7000-8000-000000000001',
  '0191d2f0-0000-7000-8000-000000000002',
] as const
const COLUMNS = 'workspace_id, id, name, color, key, created_at'

function insertTagsSql(many: number, workspace: string = HERE): string {
  return `insert into tags (${COLUMNS}) select '${workspace}'::uuid, gen_random_uuid(), 'Tag', '#000000', gen_random_uuid()::text, now() from generate_series(1, ${many})`
}

async function createMigratedDatabase(): Promise<string> {
  const url = await freshDatabase(server!)
  await (await postgresStorage({ url })).close()
  return url
}

/** As it was when nothing was counted. */
async function migrateWithoutCounts(url: string): Promise<void> {
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
  })
  const shared = {
    '0001_records': records,
    '0003_associations': associations,
    '0005_accounts': accounts,
    '0006_webhooks': webhooks,
  }
  const later = { '0007_programs': programs, '0008_stage_moves': stageMoves }
  const made = Object.entries({ ...shared, ...later }).map(
    ([name, migration]) => [name, migration(postgresDialect)] as const,
  )
  const additions = Object.entries(postgresDialect.migrations).filter(([name]) => name < '0009')
  const all = Object.fromEntries([...made, ...additions])
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => all } }).migrateToLatest()
  expect(error).toBeUndefined()
  await db.destroy()
}

async function connectClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // Whoever is left when a test fails is cut off.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function readTotals(client: pg.Client): Promise<number[]> {
  const total =
    'select sum(total)::integer as total from live_rows where workspace_id = $1 and table_name = $2'
  const each = await Promise.all(
    [HERE, THERE].map((workspace) => client.query<{ total: number | null }>(total, [workspace, 'tags'])),
  )
  return each.map(({ rows }) => rows[0]!.total ?? 0)
}

describe.runIf(server !== null)('totals are kept', () => {
  test('of what is written by hand too: many at once, deleted, brought back, removed and truncated', async () => {
    const client = await connectClient(await createMigratedDatabase())
    await client.query(
      `${insertTagsSql(3000)} union all ${insertTagsSql(5, THERE).replace(/^.*?select/, 'select')}`,
    )
    expect(await readTotals(client)).toEqual([3000, 5])
    const few = (where: string, most: number) =>
      `where id in (select id from tags where ${where} limit ${most})`
    await client.query(`update tags set deleted_at = now() ${few(`workspace_id = '${HERE}'`, 10)}`)
    await client.query(
      "update tags set deleted_at = now() + interval '1 hour', name = 'Gone' where deleted_at is not null",
    )
    expect(await readTotals(client)).toEqual([2990, 5])
    await client.query(`update tags set deleted_at = null ${few('deleted_at is not null', 1)}`)
    expect(await readTotals(client)).toEqual([2991, 5])
    await client.query(`delete from tags where workspace_id = '${HERE}'`)
    expect(await readTotals(client)).toEqual([0, 5])
    await client.query(insertTagsSql(2))
    await client.query('truncate tags')
    expect(await readTotals(client)).toEqual([0, 0])
    await client.end()
  })

  test('with one write for the thousands of one statement', async () => {
    const client = await connectClient(await createMigratedDatabase())
    await client.query(insertTagsSql(1))
    const figures =
      "pg_stat_get_xact_tuples_inserted('live_rows'::regclass) + pg_stat_get_xact_tuples_updated('live_rows'::regclass)"
    const written = async () =>
      (await client.query<{ written: number }>(`select (${figures})::integer as written`)).rows[0]!.written
    await client.query('begin')
    const before = await written()
    await client.query(insertTagsSql(3000))
    expect((await written()) - before).toBe(1)
    await client.query('commit')
    await client.end()
  })

  test('by more transactions at once than there are slots to begin with, in opposite orders, and none waits', async () => {
    const url = await createMigratedDatabase()
    const clients = await Promise.all(Array.from({ length: 70 }, () => connectClient(url)))
    const list = `insert into lists (workspace_id, id, name, created_at) values ('${HERE}', gen_random_uuid(), 'List', now())`
    const part = 'savepoint part'
    for (const [nth, client] of clients.entries()) {
      // Nothing is committed until all have written: whoever waited would wait in vain.
      const writes = nth % 2 === 0 ? [insertTagsSql(1), list] : [list, insertTagsSql(1)]
      await client.query('set lock_timeout = 2000')
      for (const step of ['begin', part, insertTagsSql(9), 'rollback to part', ...writes])
        await client.query(step)
    }
    for (const client of clients) await client.query('commit')
    expect(await readTotals(clients[0]!)).toEqual([70, 0])
    await Promise.all(clients.map((client) => client.end()))
  })

  test('from a migration on that waits for whoever is writing, and by an older version that goes on running', async () => {
    const url = await freshDatabase(server!)
    const [older, admin] = [await connectClient(url), await connectClient(url)]
    await migrateWithoutCounts(url)
    await older.query(insertTagsSql(3))
    await older.query('begin')
    await older.query(insertTagsSql(4))
    const opening = postgresStorage({ url })
    const waiting =
      "select from pg_locks join pg_class on pg_class.oid = relation where relname = 'tags' and not granted"
    while ((await admin.query(waiting)).rowCount === 0) await new Promise(setImmediate)
    await older.query('commit')
    const storage = await opening
    await older.query(insertTagsSql(5))
    expect(await readTotals(admin)).toEqual([12, 0])
    await storage.close()
    await Promise.all([older.end(), admin.end()])
  })
})
