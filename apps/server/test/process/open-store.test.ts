import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { openDatabase, openStore } from '../../src/process/open-store.ts'
import { loadSettings, type Settings } from '../../src/process/settings.ts'
import { testDatabaseUrl } from '../support/stores.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const postgresUrl = inject('postgresUrl')

async function createFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'crm-open-store-test-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

async function sqliteSettings() {
  const path = await createFolder()
  return {
    path,
    settings: loadSettings({ DATABASE_URL: `sqlite:${path}/new/crm.db`, DATA_DIR: `${path}/new` }),
  }
}

test('rejects a second server on a SQLite file but allows an operator, with settings of its own', async () => {
  const { settings } = await sqliteSettings()
  const server = await openStore(settings, { isServer: true })
  await expect(openStore(settings, { isServer: true })).rejects.toThrow(/^Another process serves /)
  const operatorStore = await openStore({ ...settings, importDays: 7 }, { isServer: false })
  expect(operatorStore.ports.importDays).toBe(7)
  await operatorStore.storage.check()
  await operatorStore.close()
  await server.close()
  const next = await openStore(settings, { isServer: true })
  await next.close()
})

test('a removed lock is locked again, and a server that lost it to another is not ready', async () => {
  const { path, settings } = await sqliteSettings()
  const notices: string[] = []
  const server = await openStore(settings, { isServer: true, onWarning: (line) => notices.push(line) })
  const lockPath = join(path, 'new/crm.db.serving')
  await rm(lockPath)
  await vi.waitFor(() => expect(existsSync(lockPath)).toBe(true), 5000)
  await expect(openStore(settings, { isServer: true })).rejects.toThrow(/^Another process serves /)
  await rm(lockPath)
  const second = await openStore(settings, { isServer: true })
  await expect(server.storage.check()).rejects.toThrow(/^Another process serves /)
  await vi.waitFor(() => expect(notices).toEqual([expect.stringMatching(/^Another process serves /)]), 5000)
  await second.storage.check()
  await second.close()
  await server.storage.check()
  await server.close()
})

test('releases the lock of a file that could not be opened', async () => {
  const { path, settings } = await sqliteSettings()
  const damagedSettings = { ...settings, databaseUrl: `sqlite:${path}/notes.txt` }
  await writeFile(join(path, 'notes.txt'), 'some notes and no database\n'.repeat(100))
  await expect(openStore(damagedSettings, { isServer: true })).rejects.toThrow(
    /is damaged or no SQLite database/,
  )
  await expect(openStore(damagedSettings, { isServer: true })).rejects.toThrow(
    /is damaged or no SQLite database/,
  )
})

test('explains that DATABASE_URL names a folder', async () => {
  const { path, settings } = await sqliteSettings()
  await expect(
    openStore({ ...settings, databaseUrl: `sqlite:${path}` }, { isServer: false }),
  ).rejects.toThrow(
    'Cannot use the database: the file in DATABASE_URL cannot be opened. Let this user read and write the file and its folder.',
  )
})

test('creates the database folder with mode 0700', async () => {
  const { path, settings } = await sqliteSettings()
  const store = await openStore({ ...settings, secretKey: KEY }, { isServer: true })
  expect((await stat(join(path, 'new'))).mode & 0o777).toBe(0o700)
  await store.close()
})

const OTHER_KEY = Buffer.alloc(32, 8).toString('base64')

/** Stores a sealed signing key in the database. */
async function sealSecret(settings: Settings): Promise<void> {
  const { crm, close } = await openStore(settings, { isServer: false })
  await crm.operator.rotateKey()
  await close()
}

const SEALED_FILE = ' Restore it from the backup of DATA_DIR, or set SECRET_KEY to what it held.'

test.each([true, false])(
  'fails without the key that sealed the database, and creates no new one (serving: %s)',
  async (isServer) => {
    const { path, settings } = await sqliteSettings()
    await sealSecret(settings)
    const [file, database] = [join(path, 'new/secret.key'), join(path, 'new/crm.db')]
    const key = await readFile(file, 'utf8')
    await rm(file)
    const missing = `${file} is missing, and what is sealed in the database ${database} opens with nothing else.${SEALED_FILE}`
    await expect(openStore(settings, { isServer })).rejects.toThrow(new Error(missing))
    await expect(readFile(file)).rejects.toThrow('ENOENT')
    await writeFile(file, `${OTHER_KEY}\n`)
    await expect(openStore(settings, { isServer })).rejects.toThrow(
      new Error(`${file} does not open what is sealed in the database ${database}.${SEALED_FILE}`),
    )
    await expect(openStore({ ...settings, secretKey: KEY }, { isServer })).rejects.toThrow(
      new Error(
        `SECRET_KEY does not open what is sealed in the database ${database}. Set it to the one that was in use, or unset it and restore ${file} from the backup.`,
      ),
    )
    await (await openStore({ ...settings, secretKey: key.trim() }, { isServer })).close()
    await writeFile(file, key)
    await (await openStore(settings, { isServer })).close()
  },
)

test('creates a new key for a database without sealed values', async () => {
  const { path, settings } = await sqliteSettings()
  await (await openStore(settings, { isServer: true })).close()
  await rm(join(path, 'new/secret.key'))
  await (await openStore(settings, { isServer: true })).close()
  expect((await stat(join(path, 'new/secret.key'))).mode & 0o777).toBe(0o600)
})

test('requires that the key opens every signing key, not only the newest', async () => {
  const { settings } = await sqliteSettings()
  const { storage, crm, ports, close } = await openStore({ ...settings, secretKey: KEY }, { isServer: true })
  const { kid } = await crm.operator.rotateKey()
  await crm.operator.rotateKey()
  await storage.transact(async (tx) => {
    const signingKey = await tx.signing_keys.getForUpdate(kid)
    await tx.signing_keys.update({
      ...signingKey!,
      sealed_secret: ports.secrets.seal(new Uint8Array(32), 'signing key of another'),
    })
  })
  await close()
  await expect(openStore({ ...settings, secretKey: KEY }, { isServer: true })).rejects.toThrow(
    /^SECRET_KEY does not open /,
  )
})

test('openDatabase needs no key and creates none', async () => {
  const { path, settings } = await sqliteSettings()
  await sealSecret(settings)
  await rm(join(path, 'new/secret.key'))
  const { storage, close } = await openDatabase(settings, { isServer: false, migrate: false })
  expect(await storage.pending()).toEqual([])
  await close()
  await expect(readFile(join(path, 'new/secret.key'))).rejects.toThrow('ENOENT')
})

test('requires SECRET_KEY with PostgreSQL', async () => {
  const settings = loadSettings({
    DATABASE_URL: 'postgres://127.0.0.1:1/crm',
    DATA_DIR: await createFolder(),
  })
  await expect(openStore(settings, { isServer: true })).rejects.toThrow(
    /^SECRET_KEY must be set with PostgreSQL/,
  )
})

test('explains an unreachable PostgreSQL without showing its password', async () => {
  const settings = loadSettings({ DATABASE_URL: 'postgres://crm:hunter2@127.0.0.1:1/crm', SECRET_KEY: KEY })
  await expect(openStore(settings, { isServer: true })).rejects.toThrow(
    'Cannot use the database: nothing listens at the address in DATABASE_URL. Start PostgreSQL, or correct the address.',
  )
})

if (postgresUrl !== null) {
  test('rejects a SECRET_KEY that did not seal the PostgreSQL database', async () => {
    const settings = loadSettings({ DATABASE_URL: await testDatabaseUrl(postgresUrl), SECRET_KEY: KEY })
    await sealSecret(settings)
    await expect(openStore({ ...settings, secretKey: OTHER_KEY }, { isServer: true })).rejects.toThrow(
      new Error(
        'SECRET_KEY does not open what is sealed in the database. Set it to the one that was in use.',
      ),
    )
    await (await openStore(settings, { isServer: true })).close()
  })

  test('explains that the PostgreSQL database does not exist', async () => {
    const url = new URL(postgresUrl)
    url.pathname = '/not_there'
    const settings = loadSettings({ DATABASE_URL: url.href, SECRET_KEY: KEY })
    await expect(openStore(settings, { isServer: true })).rejects.toThrow(
      'Cannot use the database: the database in DATABASE_URL does not exist. Make it with createdb, or correct the name.',
    )
  })
}

test('rejects a damaged file at the start, with advice', async () => {
  const { settings } = await sqliteSettings()
  await (await openStore(settings, { isServer: true })).close()
  const file = settings.databaseUrl.slice('sqlite:'.length)
  const bytes = await readFile(file)
  await writeFile(file, bytes.fill(0xa5, 4096 * 3, 4096 * 6))
  await expect(openStore(settings, { isServer: true })).rejects.toThrow(
    / is damaged.*\. Restore it from a backup\.$/s,
  )
})
