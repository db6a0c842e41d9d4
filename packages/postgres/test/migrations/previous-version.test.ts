import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import {
  addNewColumns,
  expectUsableDemo,
  OLD_COLLECTIONS,
  OLD_TABLES,
} from '../../../conformance/test/previous-version.ts'
import { postgresStorage } from '../../src/index.ts'
import { freshDatabase } from '../fresh-database.ts'

const server = inject('postgresUrl')
/** A dump, by `pg_dump --inserts`, of a demo-sized database that the service wrote before migration 0014. */
const FIXTURE = new URL('fixtures/0013.sql.gz', import.meta.url)

describe.runIf(server !== null)('a database of the previous version', () => {
  test('opens with every row unchanged', async () => {
    const url = await restoreFixture()
    const before = new Map<string, readonly object[]>()
    for (const name of OLD_COLLECTIONS) before.set(name, await readRows(url, OLD_TABLES[name] ?? name))

    await (await postgresStorage({ url })).close()

    for (const name of OLD_COLLECTIONS) {
      const expected = before.get(name)!.map((row) => addNewColumns(name, { ...renameFoundBy(row) }))
      expect(await readRows(url, name), name).toEqual(expected)
    }
    expect([...before].filter(([, rows]) => rows.length > 0).length).toBeGreaterThan(20)
  })

  test('has the triggers and functions of a new database after the migration', async () => {
    const [url, newUrl] = [await restoreFixture(), await freshDatabase(server!)]
    for (const each of [url, newUrl]) await (await postgresStorage({ url: each })).close()
    expect(await readTriggers(url)).toEqual(await readTriggers(newUrl))
  })

  test('is searchable, writable and enforces uniqueness after the migration', async () => {
    const storage = await postgresStorage({ url: await restoreFixture() })
    await expectUsableDemo(storage)
    await storage.close()
  })
})

async function restoreFixture(): Promise<string> {
  const url = await freshDatabase(server!)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // `\restrict` and `\unrestrict` are commands of psql.
  const dump = gunzipSync(readFileSync(FIXTURE))
    .toString()
    .replaceAll(/^\\.*$/gm, '')
  await client.query(dump)
  await client.end()
  return url
}

async function readTriggers(url: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ definition: string; source: string }>(
    `select pg_get_triggerdef(pg_trigger.oid) as definition, prosrc as source
     from pg_trigger join pg_proc on pg_proc.oid = tgfoid where not tgisinternal order by 1`,
  )
  await client.end()
  return rows
}

async function readRows(url: string, table: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ row: object }>(
    `select to_jsonb(t) as row from "${table}" t order by id`,
  )
  await client.end()
  return rows.map(({ row }) => row)
}

function renameFoundBy(row: object): object {
  const { found_by, ...others } = row as { readonly found_by?: unknown }
  return found_by === undefined ? others : { ...others, search_terms: found_by }
}
