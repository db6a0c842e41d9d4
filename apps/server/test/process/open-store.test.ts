import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase, openStore } from '../../src/process/open-store.ts'
import { loadSettings, type Settings } from '../../src/process/settings.ts'
import { testDatabaseUrl } from '../support/stores.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const postgresUrl = inject('postgresUrl')

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'crm-open-store-test-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

async function sqliteSettings() {
  const path = await folder()
  return {
    path,
    settings: loadSettings({ DATABASE_URL: `sqlite:${path}/new/crm.db`, DATA_DIR: `${path}/new` }),
  }
}

test('a second server on a SQLite file is refused, an operator beside it is not', async () => {
  const { settings } = await sqliteSettings()
  const server = await openStore(settings, { isServer: true })
  await expect(openStore(settings, { isServer: true })).rejects.toThrow(/^Another process serves /)
  const beside = await openStore(settings, { isServer: false })
  await beside.storage.check()
  await beside.close()
  await server.close()
  const next = await openStore(settings, { isServer: true })
  await next.close()
})

test('a server that could not open its file lets it go', async () => {
  const { path, settings } = await sqliteSettings()
  const damaged = { ...settings, databaseUrl: `sqlite:${path}/notes.txt` }
  await writeFile(join(path, 'notes.txt'), 'some notes and no database\n'.repeat(100))
  await expect(openStore(damaged, { isServer: true })).rejects.toThrow(/is damaged or no SQLite database/)
  await expect(openStore(damaged, { isServer: true })).rejects.toThrow(/is damaged or no SQLite database/)
})

test('a folder in place of the file is told', async () => {
  const { path, settings } = await sqliteSettings()
  await expect(
    openStore({ ...settings, databaseUrl: `sqlite:${path}` }, { isServer: false }),
  ).rejects.toThrow(
    'Cannot use the database: the file in DATABASE_URL cannot be opened. Let this user read and write the file and its folder.',
  )
})

test('the folder made for a file is its owner’s alone', async () => {
  const { path, settings } = await sqliteSettings()
  const store = await openStore({ ...settings, secretKey: KEY }, { isServer: true })
  expect((await stat(join(path, 'new'))).mode & 0o777).toBe(0o700)
  await store.close()
})

const OTHER_KEY = Buffer.alloc(32, 8).toString('base64')

/** A database in which something is sealed. */
async function sealSecret(settings: Settings): Promise<void> {
  const { crm, close } = await openStore(settings, { isServer: false })
  await crm.operator.rotateKey()
  await close()
}

const SEALED_FILE = ' Restore it from the backup of DATA_DIR, or set SECRET_KEY to what it held.'

test.each([true, false])(
  'a file without the key that sealed it is refused, and no other key is made (serving: %s)',
  async (serving) => {
    const { path, settings } = await sqliteSettings()
    await sealSecret(settings)
    const file = join(path, 'new/secret.key')
    const key = await readFile(file, 'utf8')
    await rm(file)
    const missing = `${file} is missing, and what is sealed in the database opens with nothing else.${SEALED_FILE}`
    await expect(openStore(settings, { isServer: serving })).rejects.toThrow(new Error(missing))
    await expect(readFile(file)).rejects.toThrow('ENOENT')
    await writeFile(file, `${OTHER_KEY}\n`)
    await expect(openStore(settings, { isServer: serving })).rejects.toThrow(
      new Error(`${file} does not open what is sealed in the database.${SEALED_FILE}`),
    )
    await expect(openStore({ ...settings, secretKey: KEY }, { isServer: serving })).rejects.toThrow(
      new Error(
        `SECRET_KEY does not open what is sealed in the database. Set it to the one that was in use, or unset it and restore ${file} from the backup.`,
      ),
    )
    await (await openStore({ ...settings, secretKey: key.trim() }, { isServer: serving })).close()
    await writeFile(file, key)
    await (await openStore(settings, { isServer: serving })).close()
  },
)

test('a file in which nothing is sealed yet may get its key later', async () => {
  const { path, settings } = await sqliteSettings()
  await (await openStore(settings, { isServer: true })).close()
  await rm(join(path, 'new/secret.key'))
  await (await openStore(settings, { isServer: true })).close()
  expect((await stat(join(path, 'new/secret.key'))).mode & 0o777).toBe(0o600)
})

test('each key that signed must open, not only the newest', async () => {
  const { settings } = await sqliteSettings()
  const { storage, crm, ports, close } = await openStore({ ...settings, secretKey: KEY }, { isServer: true })
  const { kid } = await crm.operator.rotateKey()
  await crm.operator.rotateKey()
  await storage.transact(async (tx) => {
    const old = await tx.signing_keys.getForUpdate(kid)
    await tx.signing_keys.update({
      ...old!,
      sealed_secret: ports.secrets.seal(new Uint8Array(32), 'signing key of another'),
    })
  })
  await close()
  await expect(openStore({ ...settings, secretKey: KEY }, { isServer: true })).rejects.toThrow(
    /^SECRET_KEY does not open /,
  )
})

test('the database alone is opened without a key, and none is made', async () => {
  const { path, settings } = await sqliteSettings()
  await sealSecret(settings)
  await rm(join(path, 'new/secret.key'))
  const { storage, close } = await openDatabase(settings, { isServer: false, migrate: false })
  expect(await storage.pending()).toEqual([])
  await close()
  await expect(readFile(join(path, 'new/secret.key'))).rejects.toThrow('ENOENT')
})

test('with PostgreSQL the key must be set', async () => {
  const settings = loadSettings({ DATABASE_URL: 'postgres://127.0.0.1:1/crm', DATA_DIR: await folder() })
  await expect(openStore(settings, { isServer: true })).rejects.toThrow(
    /^SECRET_KEY must be set with PostgreSQL/,
  )
})

test('a PostgreSQL that is not there is told, without its password', async () => {
  const settings = loadSettings({ DATABASE_URL: 'postgres://crm:hunter2@127.0.0.1:1/crm', SECRET_KEY: KEY })
  await expect(openStore(settings, { isServer: true })).rejects.toThrow(
    'Cannot use the database: nothing listens at the address in DATABASE_URL. Start PostgreSQL, or correct the address.',
  )
})

if (postgresUrl !== null) {
  test('another SECRET_KEY than the one that sealed what PostgreSQL holds is refused', async () => {
    const settings = loadSettings({ DATABASE_URL: await testDatabaseUrl(postgresUrl), SECRET_KEY: KEY })
    await sealSecret(settings)
    await expect(openStore({ ...settings, secretKey: OTHER_KEY }, { isServer: true })).rejects.toThrow(
      new Error(
        'SECRET_KEY does not open what is sealed in the database. Set it to the one that was in use.',
      ),
    )
    await (await openStore(settings, { isServer: true })).close()
  })

  test('a PostgreSQL without the database is told', async () => {
    const url = new URL(postgresUrl)
    url.pathname = '/not_there'
    const settings = loadSettings({ DATABASE_URL: url.href, SECRET_KEY: KEY })
    await expect(openStore(settings, { isServer: true })).rejects.toThrow(
      'Cannot use the database: the database in DATABASE_URL does not exist. Make it with createdb, or correct the name.',
    )
  })
}

test('a damaged file is refused at the start, with what to do', async () => {
  const { settings } = await sqliteSettings()
  await (await openStore(settings, { isServer: true })).close()
  const file = settings.databaseUrl.slice('sqlite:'.length)
  const bytes = await readFile(file)
  await writeFile(file, bytes.fill(0xa5, 4096 * 3, 4096 * 6))
  await expect(openStore(settings, { isServer: true })).rejects.toThrow(
    / is damaged.*\. Restore it from a backup\.$/s,
  )
})
