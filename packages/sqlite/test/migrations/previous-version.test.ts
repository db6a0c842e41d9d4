import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import {
  addNewColumns,
  expectUsableDemo,
  OLD_COLLECTIONS,
  OLD_TABLES,
} from '../../../conformance/test/previous-version.ts'
import { sqliteStorage } from '../../src/index.ts'
import { createTempPath } from '../harness.ts'

/** A demo-sized database that the service wrote before migration 0014. */
const FIXTURE = new URL('fixtures/0012.db.gz', import.meta.url)
const OLD_COLUMNS: Readonly<Record<string, string>> = { search_terms: 'found_by' }

/** The collections whose rows migration 0027 numbers. */
const NUMBERED_LATER = ['activities', 'tasks']

test('a file of the previous version opens with every row unchanged', async () => {
  const path = createTempPath()
  writeFileSync(path, gunzipSync(readFileSync(FIXTURE)))
  const before = new Map(OLD_COLLECTIONS.map((name) => [name, readRows(path, OLD_TABLES[name] ?? name)]))

  await (await sqliteStorage({ file: path })).close()

  for (const name of OLD_COLLECTIONS) {
    const expected = before.get(name)!.map((row) => addNewColumns(name, renameColumns(row, OLD_COLUMNS)))
    expect(
      readRows(path, name).map(NUMBERED_LATER.includes(name) ? withoutRowNumber : identity),
      name,
    ).toEqual(expected)
  }
  expect([...before].filter(([, rows]) => rows.length > 0).length).toBeGreaterThan(20)
})

test('a migrated file of the previous version is searchable, writable and enforces uniqueness', async () => {
  const path = createTempPath()
  writeFileSync(path, gunzipSync(readFileSync(FIXTURE)))
  const storage = await sqliteStorage({ file: path })
  await expectUsableDemo(storage)
  await storage.close()
})

function readRows(path: string, table: string): Record<string, unknown>[] {
  const db = new Database(path, { readonly: true })
  const rows = db.prepare(`select * from "${table}" order by id`).all()
  db.close()
  return rows as Record<string, unknown>[]
}

function withoutRowNumber({ search_row: _, ...row }: Record<string, unknown>): object {
  return row
}

function identity(row: object): object {
  return row
}

function renameColumns(row: Record<string, unknown>, oldNames: Readonly<Record<string, string>>) {
  const names = new Map(Object.entries(oldNames).map(([name, oldName]) => [oldName, name]))
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [names.get(column) ?? column, value]),
  )
}
