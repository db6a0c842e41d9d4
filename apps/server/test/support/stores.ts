import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { afterAll, describe, inject, onTestFinished } from 'vitest'
import { type DatabaseLocation, openStorageAt } from './database-location.ts'
import { runStatement } from './run-statement.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string | null
  }
}

const postgresUrl = inject('postgresUrl')

const LOCATIONS: Readonly<Record<string, () => Promise<DatabaseLocation>>> = {
  async sqlite() {
    const folder = await mkdtemp(join(tmpdir(), 'crm-server-test-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const location = join(folder, 'crm.db')
    await copyFile(inject('migratedFile'), location)
    return { driver: 'sqlite', location }
  },
  ...(postgresUrl !== null && {
    postgres: async () => ({ driver: 'postgres', location: await testDatabaseUrl(postgresUrl) }),
  }),
}

let database: Promise<string> | undefined

/**
 * Creates one database for the tests that run until it is dropped. Rate limits and queued mail are shared by all
 * workspaces, so files must not share a database.
 */
export function testDatabaseUrl(server: string): Promise<string> {
  database ??= createDatabase(server)
  return database
}

async function createDatabase(server: string): Promise<string> {
  const template = inject('migratedDatabase')
  const name = `${template}_${randomBytes(8).toString('hex')}`
  await runStatement(server, `create database ${name} template ${template}`)
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

async function dropDatabase(): Promise<void> {
  if (!database) return
  const name = new URL(await database).pathname.slice(1)
  database = undefined
  // FORCE also closes connections that a failed test left open.
  await runStatement(postgresUrl!, `drop database ${name} with (force)`)
}

/** Defines the same tests for each store. The storage `open` returns is closed when the test ends. */
export function describeEachStore(name: string, define: (open: () => Promise<Storage>) => void): void {
  describe(`${name} (memory)`, () => define(async () => closeAfterTest(memoryStorage())))
  for (const [store, createLocation] of Object.entries(LOCATIONS)) {
    describe(`${name} (${store})`, () => {
      afterAll(dropDatabase)
      define(async () => closeAfterTest(await openStorageAt(await createLocation())))
    })
  }
}

/** Defines tests for stores that persist. `open` opens the same database each time. */
export function describePersistentStores(
  name: string,
  define: (
    createDatabase: () => Promise<{ readonly database: DatabaseLocation; open(): Promise<Storage> }>,
  ) => void,
  stores: readonly DatabaseLocation['driver'][] = ['sqlite', 'postgres'],
): void {
  for (const [store, createLocation] of Object.entries(LOCATIONS).filter(([driver]) =>
    stores.some((store) => store === driver),
  )) {
    describe(`${name} (${store})`, () => {
      afterAll(dropDatabase)
      define(async () => {
        const location = await createLocation()
        return { database: location, open: async () => closeAfterTest(await openStorageAt(location)) }
      })
    })
  }
}

function closeAfterTest(storage: Storage): Storage {
  onTestFinished(() => storage.close())
  return storage
}
