import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { loadSettings } from '../src/config.ts'
import { openStore } from '../src/open-store.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const postgresUrl = inject('postgresUrl')

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'crm-open-store-test-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

async function sqliteSettings() {
  const path = await folder()
  return { path, settings: loadSettings({ DATABASE_URL: `sqlite:${path}/new/crm.db`, DATA_DIR: `${path}/new` }) }
}

test('a second server on a SQLite file is refused, an operator beside it is not', async () => {
  const { settings } = await sqliteSettings()
  const server = await openStore(settings, { serving: true })
  await expect(openStore(settings, { serving: true })).rejects.toThrow(/^Another process serves /)
  const beside = await openStore(settings, { serving: false })
  await beside.storage.check()
  await beside.close()
  await server.close()
  const next = await openStore(settings, { serving: true })
  await next.close()
})

test('a server that could not open its file lets it go', async () => {
  const { path, settings } = await sqliteSettings()
  const damaged = { ...settings, databaseUrl: `sqlite:${path}/notes.txt` }
  await writeFile(join(path, 'notes.txt'), 'some notes and no database\n'.repeat(100))
  await expect(openStore(damaged, { serving: true })).rejects.toThrow(/is damaged or no SQLite database/)
  await expect(openStore(damaged, { serving: true })).rejects.toThrow(/is damaged or no SQLite database/)
})

test('a folder in place of the file is told', async () => {
  const { path, settings } = await sqliteSettings()
  await expect(openStore({ ...settings, databaseUrl: `sqlite:${path}` }, { serving: false })).rejects.toThrow(
    'Cannot use the database: the file in DATABASE_URL cannot be opened. Let this user read and write the file and its folder.',
  )
})

test('the folder made for a file is its owner’s alone', async () => {
  const { path, settings } = await sqliteSettings()
  const store = await openStore({ ...settings, secretKey: KEY }, { serving: true })
  expect((await stat(join(path, 'new'))).mode & 0o777).toBe(0o700)
  await store.close()
})

test('with PostgreSQL the key must be set', async () => {
  const settings = loadSettings({ DATABASE_URL: 'postgres://127.0.0.1:1/crm', DATA_DIR: await folder() })
  await expect(openStore(settings, { serving: true })).rejects.toThrow(/^SECRET_KEY must be set with PostgreSQL/)
})

test('a PostgreSQL that is not there is told, without its password', async () => {
  const settings = loadSettings({ DATABASE_URL: 'postgres://crm:hunter2@127.0.0.1:1/crm', SECRET_KEY: KEY })
  await expect(openStore(settings, { serving: true })).rejects.toThrow(
    'Cannot use the database: nothing listens at the address in DATABASE_URL. Start PostgreSQL, or correct the address.',
  )
})

if (postgresUrl !== null) {
  test('a PostgreSQL without the database is told', async () => {
    const url = new URL(postgresUrl)
    url.pathname = '/not_there'
    const settings = loadSettings({ DATABASE_URL: url.href, SECRET_KEY: KEY })
    await expect(openStore(settings, { serving: true })).rejects.toThrow(
      'Cannot use the database: the database in DATABASE_URL does not exist. Make it with createdb, or correct the name.',
    )
  })
}

test('a damaged file is refused at the start, with what to do', async () => {
  const { settings } = await sqliteSettings()
  await (await openStore(settings, { serving: true })).close()
  const file = settings.databaseUrl.slice('sqlite:'.length)
  const bytes = await readFile(file)
  await writeFile(file, bytes.fill(0xa5, 4096 * 3, 4096 * 6))
  await expect(openStore(settings, { serving: true })).rejects.toThrow(/ is damaged.*\. Restore it from a backup\.$/s)
})
