import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { dropDatabases, freshDatabase } from './fresh-database.ts'

const server = inject('postgresUrl')

test.runIf(server !== null)(
  'a database made for a test is dropped afterwards, though someone is connected',
  async () => {
    const lingering = new pg.Client(await freshDatabase(server!))
    const cut = new Promise((resolve) => lingering.on('error', resolve))
    await lingering.connect()
    const admin = new pg.Client(server!)
    await admin.connect()
    const found = async () =>
      (await admin.query('select 1 from pg_database where datname = $1', [lingering.database])).rowCount
    expect(await found()).toBe(1)
    await dropDatabases()
    expect(await found()).toBe(0)
    await cut
    await admin.end()
  },
)
