import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import Database from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { requireVersion } from '../src/files/open-file.ts'
import { sqliteStorage } from '../src/index.ts'
import { addTaskType, createTempPath, readKeys } from './harness.ts'

test('waits for a file locked by another process without blocking the event loop', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  const other = new Database(path)
  other.exec('begin immediate')
  let ticks = 0
  const timer = setInterval(() => {
    ticks += 1
    if (ticks === 3) other.exec('rollback')
  }, 1)
  await addTaskType(storage, 'call', 1)
  clearInterval(timer)
  expect(ticks).toBeGreaterThanOrEqual(3)
  expect(await readKeys(storage)).toEqual(['call'])
  other.close()
  await storage.close()
})

test('fails reads, writes and the check while the file is missing, and recovers afterwards', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  await addTaskType(storage, 'call', 1)
  renameSync(path, `${path}.away`)
  await expect(addTaskType(storage, 'lost', 2)).rejects.toThrow('is gone')
  await expect(readKeys(storage)).rejects.toThrow('is gone')
  await expect(storage.check()).rejects.toThrow('is gone')
  renameSync(`${path}.away`, path)
  await storage.check()
  await addTaskType(storage, 'email', 3)
  expect(await readKeys(storage)).toEqual(['call', 'email'])
  await storage.close()
})

test('serves a backup copied over the file without a restart', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  await addTaskType(storage, 'call', 1)
  await storage.backup(`${path}.backup`)
  await addTaskType(storage, 'email', 2)
  expect(await readKeys(storage)).toEqual(['call', 'email'])
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  copyFileSync(`${path}.backup`, path)
  await vi.waitFor(async () => expect(await readKeys(storage)).toEqual(['call']))
  await addTaskType(storage, 'visit', 3)
  expect(await readKeys(storage)).toEqual(['call', 'visit'])
  await storage.close()
})

test('a backup is complete during concurrent writes and never overwrites a file', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  await addTaskType(storage, 'call', 1)
  await Promise.all([storage.backup(`${path}.backup`), addTaskType(storage, 'email', 2)])
  const copy = await sqliteStorage({ file: `${path}.backup` })
  expect(await readKeys(copy)).toContain('call')
  expect(copy.quickCheck()).toEqual([])
  await expect(storage.backup(`${path}.backup`)).rejects.toThrow('exists already')
  await copy.close()
  await storage.close()
})

test('rejects a file that is not a database with a one-line error', async () => {
  const path = createTempPath()
  writeFileSync(path, 'This is a letter to my grandmother, and no database at all.'.repeat(100))
  await expect(sqliteStorage({ file: path })).rejects.toThrow(
    /^The database .* is damaged or no SQLite database .* Restore it from a backup\.$/,
  )
})

test('a file truncated while open fails affected operations, and the process survives', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  for (let number = 1; number <= 20; number += 1) await addTaskType(storage, `key_${number}`, number)
  const other = new Database(path)
  other.pragma('wal_checkpoint(TRUNCATE)')
  other.close()
  truncateSync(path, 4096)
  await expect(storage.check().then(() => readKeys(storage))).rejects.toThrow()
  await expect(addTaskType(storage, 'lost', 30)).rejects.toThrow()
  await storage.close()
})

test('rejects a file of a newer version with advice', async () => {
  const path = createTempPath()
  await (await sqliteStorage({ file: path })).close()
  const file = new Database(path)
  file.exec("insert into kysely_migration (name, timestamp) values ('9999_future', '2030-01-01')")
  file.close()
  await expect(sqliteStorage({ file: path })).rejects.toThrow(
    'made by a newer version of this program (it has 9999_future)',
  )
})

test('does not migrate a file that a newer version has migrated meanwhile', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  const file = new Database(path)
  file.exec("insert into kysely_migration (name, timestamp) values ('9999_future', '2030-01-01')")
  file.close()
  await expect(storage.migrate()).rejects.toThrow(
    'made by a newer version of this program (it has 9999_future)',
  )
  await storage.close()
})

test('a file with pending migrations is not ready until migrated', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path, migrate: false })
  await expect(storage.check()).rejects.toThrow('lacks 0001_records')
  // Their names are in the databases of all users, so they stay; later ones follow.
  const earlier = [
    '0001_records',
    '0003_associations',
    '0004_searching',
    '0005_accounts',
    '0006_webhooks',
    '0007_programs',
    '0008_stage_moves',
    '0009_live_rows',
    '0011_settings_versions',
    '0012_naming_words',
    '0014_standard_names',
    '0015_workspace_sizes',
    '0016_board_indexes',
    '0017_activity_owners',
    '0018_webhook_creators',
    '0019_apostrophe_terms',
    '0020_workspace_countries',
    '0021_verified_addresses',
    '0022_runs',
    '0023_examples',
    '0024_task_completions',
    '0025_stage_entries',
  ]
  const all = await storage.pending()
  expect(all.slice(0, earlier.length)).toEqual(earlier)
  expect(await storage.migrate()).toEqual(all)
  expect(await storage.pending()).toEqual([])
  await storage.check()
  await storage.close()
})

test.each([
  ['3.51.2', 'is too old'],
  ['3.9.0', 'is too old'],
  ['2.99.99', 'is too old'],
])('rejects SQLite %s', (version, message) => {
  expect(() => requireVersion(version)).toThrow(message)
})

test.each(['3.51.3', '3.51.10', '3.54.1', '4.0.0'])('accepts SQLite %s', (version) => {
  requireVersion(version)
})

test('closing leaves no journal files', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  await addTaskType(storage, 'call', 1)
  await storage.close()
  await storage.close()
  expect(readdirSync(path.replace(/\/[^/]*$/, ''))).toEqual(['crm.db'])
})

test('a file found damaged stays not ready until it is replaced', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  await addTaskType(storage, 'call', 1)
  await storage.backup(`${path}.backup`)
  const other = new Database(path)
  other.pragma('wal_checkpoint(TRUNCATE)')
  const root = other
    .prepare("select rootpage from sqlite_schema where name = 'task_types'")
    .pluck()
    .get() as number
  other.close()
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (root - 1) * 4096)
  closeSync(file)
  await expect(addTaskType(storage, 'lost', 2)).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' })
  await expect(storage.check()).rejects.toThrow(
    /^The database .* is damaged \(.*\)\. Restore it from a backup\.$/,
  )
  await expect(storage.check()).rejects.toThrow('is damaged')
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  copyFileSync(`${path}.backup`, path)
  await storage.check()
  expect(await readKeys(storage)).toEqual(['call'])
  await storage.close()
})
