import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import pg from 'pg'
import { afterAll, describe, inject, onTestFinished } from 'vitest'
import { openPlace, type Place } from './place.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string | null
  }
}

const postgresUrl = inject('postgresUrl')

const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  async sqlite() {
    const folder = await mkdtemp(join(tmpdir(), 'crm-server-test-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    return { driver: 'sqlite', where: join(folder, 'crm.db') }
  },
  ...(postgresUrl !== null && { postgres: async () => ({ driver: 'postgres', where: await databaseOf(postgresUrl) }) }),
}

let database: Promise<string> | undefined

/** One for all tests of a file: letters and windows are no workspace's own, and files do not meet. It is dropped after them. */
export function databaseOf(server: string): Promise<string> {
  database ??= freshDatabase(server)
  return database
}

async function freshDatabase(server: string): Promise<string> {
  const name = `crm_${randomBytes(8).toString('hex')}`
  await run(server, `create database ${name}`)
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

afterAll(async () => {
  if (!database) return
  const name = new URL(await database).pathname.slice(1)
  // With whoever is still connected: a server of somebody's is left as it was.
  await run(postgresUrl!, `drop database ${name} with (force)`)
})

async function run(server: string, sql: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** The same behaviour on each store. What `open` gives is closed when the test ends. */
export function describeEachStore(name: string, define: (open: () => Promise<Storage>) => void): void {
  describe(`${name} (memory)`, () => define(async () => closedAfterwards(memoryStorage())))
  for (const [store, find] of Object.entries(PLACES)) {
    describe(`${name} (${store})`, () => define(async () => closedAfterwards(await openPlace(await find()))))
  }
}

/** For what only a store that can be opened again can show. `open` opens the same place each time. */
export function describeLastingStores(
  name: string,
  define: (found: () => Promise<{ readonly place: Place; open(): Promise<Storage> }>) => void,
  stores: readonly Place['driver'][] = ['sqlite', 'postgres'],
): void {
  for (const [store, find] of Object.entries(PLACES).filter(([each]) => stores.some((wanted) => wanted === each))) {
    describe(`${name} (${store})`, () => {
      define(async () => {
        const place = await find()
        return { place, open: async () => closedAfterwards(await openPlace(place)) }
      })
    })
  }
}

function closedAfterwards(storage: Storage): Storage {
  onTestFinished(() => storage.close())
  return storage
}
