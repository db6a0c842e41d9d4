import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { SHAPES, SHARED_SHAPES } from '@sales-crm/core/ports'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { postgresStorage } from '../../src/index.ts'
import { freshDatabase } from '../fresh-database.ts'

const server = inject('postgresUrl')
/** A dump, by `pg_dump --inserts`, of a demo-sized database that the service wrote before migration 0014. */
const FIXTURE = new URL('fixtures/0013.sql.gz', import.meta.url)
const OLD_TABLES: Readonly<Record<string, string>> = {
  authorization_codes: 'codes',
  one_time_links: 'links',
  queued_mail: 'letters',
  rate_limits: 'lasting_windows',
}

describe.runIf(server !== null)('a database of the previous version', () => {
  test('opens with every row unchanged', async () => {
    const url = await restoreFixture()
    const collections = [...Object.keys(SHAPES), ...Object.keys(SHARED_SHAPES)]
    const before = new Map<string, readonly object[]>()
    for (const name of collections) before.set(name, await readRows(url, OLD_TABLES[name] ?? name))

    await (await postgresStorage({ url })).close()

    for (const name of collections) {
      const expected = before.get(name)!.map((row) => renameFoundBy(row))
      expect(await readRows(url, name), name).toEqual(expected)
    }
    expect([...before].filter(([, rows]) => rows.length > 0).length).toBeGreaterThan(20)
  })

  test('is searchable, writable and enforces uniqueness after the migration', async () => {
    const storage = await postgresStorage({ url: await restoreFixture() })
    await storage.transact(async (tx) => {
      const [workspace] = await tx.workspaces.find([])
      const { people, tags } = tx.workspace(workspace!.id)
      const [julia] = await people.find([{ field: 'search_terms', hasPrefix: 'jul' }])
      expect(julia).toMatchObject({
        full_name: 'Júlia Prado',
        search_terms: expect.stringContaining('_tag_'),
      })
      await people.update({ ...julia!, search_terms: 'renamed' }, julia)
      expect(await people.find([{ field: 'search_terms', hasTerm: 'renamed' }])).toHaveLength(1)
      expect(await people.find([{ field: 'search_terms', hasPrefix: 'jul' }])).toEqual([])
      const [tag] = await tags.find([{ field: 'key', is: 'trade_fair' }])
      const duplicate = { ...tag!, id: '0191d2f0-0000-7000-8000-000000000001' }
      await expect(tx.savepoint(() => tags.insert(duplicate))).rejects.toMatchObject({ code: 'conflict' })
      const [mail] = await tx.queued_mail.find([])
      await tx.queued_mail.update({ ...mail!, due_at: '2026-03-01T12:00:00.000Z' }, mail)
      await expect(
        tx.savepoint(async () => {
          const [limit] = await tx.rate_limits.find([])
          await tx.rate_limits.insert({ ...limit!, id: '0191d2f0-0000-7000-8000-000000000002' })
        }),
      ).rejects.toMatchObject({ code: 'conflict', fields: { key: expect.any(String) } })
    })
    await storage.check()
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
