import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { SHAPES, SHARED_SHAPES } from '@sales-crm/core/ports'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { createTempPath } from '../harness.ts'

/** A demo-sized database that the service wrote before migration 0014. */
const FIXTURE = new URL('fixtures/0012.db.gz', import.meta.url)
const OLD_TABLES: Readonly<Record<string, string>> = {
  authorization_codes: 'codes',
  one_time_links: 'links',
  queued_mail: 'letters',
  rate_limits: 'lasting_windows',
}
const OLD_COLUMNS: Readonly<Record<string, string>> = { search_terms: 'found_by' }

test('a file of the previous version opens with every row unchanged', async () => {
  const path = createTempPath()
  writeFileSync(path, gunzipSync(readFileSync(FIXTURE)))
  const collections = [...Object.keys(SHAPES), ...Object.keys(SHARED_SHAPES)]
  const before = new Map(collections.map((name) => [name, readRows(path, OLD_TABLES[name] ?? name)]))

  await (await sqliteStorage({ file: path })).close()

  for (const name of collections) {
    const expected = before.get(name)!.map((row) => renameColumns(row, OLD_COLUMNS))
    expect(readRows(path, name), name).toEqual(expected)
  }
  expect([...before].filter(([, rows]) => rows.length > 0).length).toBeGreaterThan(20)
})

test('a migrated file of the previous version is searchable, writable and enforces uniqueness', async () => {
  const path = createTempPath()
  writeFileSync(path, gunzipSync(readFileSync(FIXTURE)))
  const storage = await sqliteStorage({ file: path })
  await storage.transact(async (tx) => {
    const [workspace] = await tx.workspaces.find([])
    const { people, tags } = tx.workspace(workspace!.id)
    const [julia] = await people.find([{ field: 'search_terms', hasPrefix: 'jul' }])
    expect(julia).toMatchObject({ full_name: 'Júlia Prado', search_terms: expect.stringContaining('_tag_') })
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

function readRows(path: string, table: string): Record<string, unknown>[] {
  const db = new Database(path, { readonly: true })
  const rows = db.prepare(`select * from "${table}" order by id`).all()
  db.close()
  return rows as Record<string, unknown>[]
}

function renameColumns(row: Record<string, unknown>, oldNames: Readonly<Record<string, string>>) {
  const names = new Map(Object.entries(oldNames).map(([name, oldName]) => [oldName, name]))
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [names.get(column) ?? column, value]),
  )
}
