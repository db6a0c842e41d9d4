import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { postgresDialect } from '../src/dialect/postgres-dialect.ts'
import { type PostgresStorage, postgresStorage } from '../src/index.ts'
import { freshDatabase } from './fresh-database.ts'

const server = inject('postgresUrl')

/** Tables whose rows all lie on the shard of their workspace. Unlogged tables are not spread. */
const SPREAD_TABLES = `select c.oid, c.relname from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
  join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
  where c.relnamespace = 'public'::regnamespace and c.relpersistence = 'p' and a.attname in ('workspace_id', 'scope')`
/** Of tables that are read by their ids across workspaces, and stay on one server. */
const SHARED_INDEXES = [
  ...['bulk_changes_pkey', 'codes_pkey', 'imports_pkey', 'invitations_pkey', 'runs_pkey'],
  ...['timers__key', 'timers_pkey', 'usage_logs_pkey'],
]

describe.runIf(server !== null)('the tables of workspaces can be spread over servers', () => {
  let client: pg.Client
  let storage: PostgresStorage

  beforeAll(async () => {
    const url = await freshDatabase(server!)
    storage = await postgresStorage({ url })
    client = new pg.Client({ connectionString: url })
    await client.connect()
  }, 60_000)

  afterAll(async () => {
    await client?.end()
    await storage?.close()
  })

  const read = async (sql: string) => (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name)

  test('each has its workspace first in each unique index', async () => {
    const names = await read(`select x.relname as name from pg_index i join pg_class x on x.oid = i.indexrelid
      join pg_attribute first on first.attrelid = i.indrelid and first.attnum = i.indkey[0]
      where i.indisunique and first.attname <> 'workspace_id'
        and exists (select from pg_attribute a where a.attrelid = i.indrelid and a.attname = 'workspace_id')
      order by 1`)
    expect(names).toEqual(SHARED_INDEXES)
  })

  test('each has the workspace in its foreign keys, on both sides, and none leads to a shared table', async () => {
    expect(
      await read(`with spread as (${SPREAD_TABLES})
        select f.conname as name from pg_constraint f
        join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
        join pg_attribute b on b.attrelid = f.confrelid and b.attnum = f.confkey[1]
        where f.contype = 'f' and (f.conrelid in (select oid from spread) or f.confrelid in (select oid from spread))
          and not (a.attname = 'workspace_id' and b.attname = 'workspace_id'
            and f.conrelid in (select oid from spread) and f.confrelid in (select oid from spread))`),
    ).toEqual([])
  })

  test('the functions of their triggers insert values, and name no table by its trigger', async () => {
    const { rows } = await client.query<{ name: string; source: string }>(`with spread as (${SPREAD_TABLES})
      select distinct proname as name, prosrc as source from pg_trigger join pg_proc on pg_proc.oid = tgfoid
      where not tgisinternal and tgrelid in (select oid from spread) and tgname !~ '_emptied$'`)
    expect(rows.length).toBeGreaterThan(10)
    for (const { name, source } of rows) {
      expect(source, name).not.toMatch(/tg_table_name|tg_relname|update \w+ set|delete from/)
      const inserts = source.match(/insert into \w+\s+\w+/g) ?? []
      expect(inserts.length, name).toBeGreaterThan(0)
      for (const insert of inserts)
        expect(insert, name).toMatch(/into (live_rows|owner_rows|long_texts|settings_versions)\s+values/)
    }
  })

  test('a database without Citus names what it lacks', async () => {
    expect(storage.isDistributed).toBe(false)
    expect(await storage.undistributed()).toEqual([])
    await expect(storage.distribute()).rejects.toThrow('The database has no extension citus')
  })
})

test('a unique violation names its field, also as a shard reports it', () => {
  const violation = (message: string, constraint?: string) =>
    Object.assign(new pg.DatabaseError(message, 0, 'error'), { code: '23505', constraint })
  const message = (name: string) => `duplicate key value violates unique constraint "${name}"`
  const parse = (error: unknown) => postgresDialect.parseUniqueViolation(error)
  expect(parse(violation(message('tags__key'), 'tags__key'))).toBe('key')
  expect(parse(violation(message('people__entity_id_102069')))).toBe('entity_id')
  expect(parse(violation(message('people_pkey'), 'people_pkey'))).toBeUndefined()
  expect(parse(violation(message('people_pkey_102069')))).toBeUndefined()
  expect(parse(new Error(message('tags__key')))).toBeUndefined()
})
