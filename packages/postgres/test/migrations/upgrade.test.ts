import type { Storage } from '@sales-crm/core/ports'
import type { Tables } from '@sales-crm/sql'
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { listMigrations } from '../../../sql/src/migrations/migrator.ts'
import { postgresDialect } from '../../src/dialect/postgres-dialect.ts'
import { postgresStorage } from '../../src/index.ts'
import { migrationPool } from '../../src/wire/pool.ts'
import { freshDatabase } from '../fresh-database.ts'

const server = inject('postgresUrl')
const id = (number: number) => `0191d2f0-0000-7000-8000-${String(number).padStart(12, '0')}`
const [WORKSPACE, OTHER, THIRD] = [id(1), id(2), id(3)]

interface OldDatabase {
  /** Default: more than one migration batch. */
  readonly people?: number
  /** The last migration that ran. Default: that of the first version. */
  readonly version?: string
}

/** Creates a database with the rows of the first version. */
async function createOldDatabase({ people = 2500, version = '' }: OldDatabase = {}): Promise<string> {
  const url = await freshDatabase(server!)
  const pool = new pg.Pool({ connectionString: url })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const migrations = listMigrations(postgresDialect)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  await migrator.migrateTo('0002_rate_windows')
  const stamps =
    "'2026-03-01T12:00:00Z'::timestamptz as created_at, '2026-03-01T12:00:00Z'::timestamptz as updated_at"
  const contact = `'[{"email":"info@acme.example","type":"work"}]'::json as emails, '[{"phone":"+55 11 9999","type":"mobile"}]'::json as phones`
  const add = (table: string, workspace: string, columns: string, from = '') =>
    pool.query(`insert into ${table} (select (json_populate_record(null::${table}, to_json(row_of))).*
      from (select '${workspace}'::uuid as workspace_id, ${stamps}, ${columns} ${from}) as row_of)`)
  const number = "('0191d2f0-0000-7000-8000-' || lpad(nth::text, 12, '0'))::uuid as id"
  await add(
    'people',
    WORKSPACE,
    `${number}, 'P-' || nth as entity_id, 'João ' || nth as full_name, '[]'::json as emails, '[]'::json as phones, 0 as score`,
    `from generate_series(1, ${people}) as nth`,
  )
  await add(
    'people',
    OTHER,
    `'${id(1)}' as id, 'P-1' as entity_id, 'João' as full_name, ${contact}, 0 as score`,
  )
  await add(
    'companies',
    WORKSPACE,
    `'${id(1)}' as id, 'C-1' as entity_id, 'Acme Ltda' as full_name, ${contact}`,
  )
  await add('pipelines', WORKSPACE, `'${id(1)}' as id, 'Sales' as name`)
  const stage = `'${id(1)}' as pipeline_id, 0 as position, 'New' as name, 'open' as type, 50 as probability`
  await add('stages', WORKSPACE, `'${id(1)}' as id, ${stage}`)
  const deal = `'Roof' as name, 1 as amount, 'USD' as currency, '${id(1)}' as pipeline_id, '${id(1)}' as stage_id, '${id(7)}' as person_id`
  await add('deals', WORKSPACE, `'${id(1)}' as id, 'D-1' as entity_id, ${deal}`)
  for (const number of [1, 2, 3]) {
    const user = [id(number), `2026-03-01T12:00:0${number}Z`, `user-${number}@acme.example`]
    await pool.query("insert into users (id, created_at, email, name) values ($1, $2, $3, 'User')", user)
  }
  const app = [id(1), '2026-03-01T12:00:00Z', 'App', 'dev@acme.example', '["people:read"]']
  const columns = 'id, created_at, name, email, scopes, redirect_uris, active'
  await pool.query(`insert into apps (${columns}) values ($1, $2, $3, $4, $5, '[]', true)`, app)
  // In neither chronological nor id order.
  await add('members', THIRD, `'${id(1)}' as id, 'admin' as role`)
  await add('members', OTHER, `'${id(1)}' as id, 'member' as role, '2026-03-01T12:00:00Z' as removed_at`)
  await add('members', WORKSPACE, `'${id(1)}' as id, 'owner' as role`)
  await add('members', OTHER, `'${id(2)}' as id, 'owner' as role`)
  await pool.query("update members set created_at = '2026-03-02T12:00:00Z' where workspace_id = $1", [
    WORKSPACE,
  ])
  await pool.query('update people set deleted_at = created_at where id = $1', [id(2500)])
  if (version > '0002_rate_windows') expect(await migrator.migrateTo(version)).not.toHaveProperty('error')
  await pool.end()
  return url
}

async function findIds(
  storage: Storage,
  collection: 'people' | 'companies' | 'deals',
  prefix: string,
  workspace = WORKSPACE,
) {
  return storage.read(async (tx) => {
    const store = tx.workspace(workspace)[collection] as unknown as typeof tx.users
    return (await store.find([{ field: 'search_terms' as 'email', hasPrefix: prefix }])).map((row) => row.id)
  })
}

/** The columns and indexes of a database. */
async function readSchema(url: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const columns = await client.query(
    `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
     where table_schema = 'public' order by table_name, column_name`,
  )
  const indexes = await client.query(
    "select indexname, indexdef from pg_indexes where schemaname = 'public' order by indexname",
  )
  await client.end()
  return [columns.rows, indexes.rows]
}

describe.runIf(server !== null)('a database of the first version', () => {
  test('is migrated: its records are searchable, linked and writable', async () => {
    const url = await createOldDatabase()
    const storage = await postgresStorage({ url })
    expect(await findIds(storage, 'people', 'joao')).toHaveLength(2499)
    expect(await findIds(storage, 'people', '1234')).toEqual([id(1234)])
    expect(await findIds(storage, 'people', 'joao', OTHER)).toEqual([id(1)])
    expect(await findIds(storage, 'people', 'acme', OTHER)).toEqual([id(1)])
    expect(await findIds(storage, 'companies', '119999')).toEqual([id(1)])
    expect(await findIds(storage, 'deals', 'roo')).toEqual([id(1)])
    await storage.transact(async (tx) => {
      const { people } = tx.workspace(WORKSPACE)
      const person = (await people.get(id(7)))!
      expect(person).toMatchObject({
        full_name: 'João 7',
        tag_ids: [],
        list_ids: [],
        custom_values: {},
        search_terms: 'joao 7',
      })
      await people.update({ ...person, search_terms: 'rita' })
    })
    expect(await findIds(storage, 'people', 'rita')).toEqual([id(7)])
    await storage.check()
    await storage.close()
  })

  test('has its records counted, and later inserts and deletes', async () => {
    const storage = await postgresStorage({ url: await createOldDatabase() })
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
      await people.softDelete(id(1), '2026-03-02T12:00:00.000Z')
      await people.hardDelete(id(2))
      await people.hardDelete(id(2500))
      await deals.hardDelete(id(1))
    })
    expect(await totals()).toEqual([2499, 1, 0, 0])
    await storage.close()
  })

  test('has the workspaces of each user filled by join time, then id', async () => {
    const storage = await postgresStorage({ url: await createOldDatabase() })
    const users = await storage.read((tx) => tx.users.find([]))
    expect(users.map(({ workspace_ids }) => workspace_ids)).toEqual([[OTHER, THIRD, WORKSPACE], [OTHER], []])
    await storage.close()
  })

  test('has unchanged apps with the email address of their creator', async () => {
    const storage = await postgresStorage({ url: await createOldDatabase() })
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

  test('of the last five versions, and of each fifth before them, opens in one step, with its rows', async () => {
    const fresh = await freshDatabase(server!)
    await (await postgresStorage({ url: fresh })).close()
    const schema = await readSchema(fresh)
    const versions = Object.keys(listMigrations(postgresDialect)).sort()
    for (const version of versions.filter((_, index) => index % 5 === 0 || index >= versions.length - 5)) {
      const url = await createOldDatabase({ people: 9, version })
      const storage = await postgresStorage({ url })
      expect(await findIds(storage, 'people', 'joao'), version).toHaveLength(9)
      expect(await findIds(storage, 'deals', 'roo'), version).toEqual([id(1)])
      await storage.check()
      await storage.close()
      expect(await readSchema(url), version).toEqual(schema)
    }
  }, 120_000)

  test('is migrated even if a deadlock ends the first attempt', async () => {
    const url = await freshDatabase(server!)
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(`create function fail_once() returns event_trigger language plpgsql as $$ begin
      if exists (select from pg_locks where locktype = 'advisory' and objid = 4242 and pid = pg_backend_pid()) then return; end if;
      perform pg_advisory_lock(4242);
      raise exception 'deadlock detected' using errcode = '40P01'; end $$`)
    await admin.query('create event trigger fail_once on ddl_command_start execute function fail_once()')
    const storage = await postgresStorage({ url })
    expect(await storage.pending()).toEqual([])
    await storage.close()
    await admin.end()
  })

  test('rejects rows of an older version, which searches would not find', async () => {
    const url = await freshDatabase(server!)
    const storage = await postgresStorage({ url })
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    const old = `insert into companies (workspace_id, id, entity_id, full_name, emails, phones, created_at, updated_at)
      values (gen_random_uuid(), gen_random_uuid(), 'C-1', 'Acme', '[]', '[]', now(), now())`
    await expect(admin.query(old)).rejects.toMatchObject({ code: '23502', column: 'search_terms' })
    await storage.close()
    await admin.end()
  })

  test('is migrated without any time limit, even if the database sets one', async () => {
    const url = await freshDatabase(server!)
    const limited = new pg.Client({ connectionString: url })
    await limited.connect()
    await limited.query(`alter database ${new URL(url).pathname.slice(1)} set statement_timeout = 1000`)
    await limited.end()
    const pool = migrationPool({ url })
    const limits = "name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')"
    const { rows } = await pool.query(`select distinct setting from pg_settings where ${limits}`)
    expect(rows).toEqual([{ setting: '0' }])
    expect(pool.options).not.toHaveProperty('query_timeout')
    await pool.end()
  })
})
