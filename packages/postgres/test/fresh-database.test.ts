import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { dropDatabases, freshDatabase } from './fresh-database.ts'

const server = inject('postgresUrl')

test.runIf(server !== null)('drops the databases of a test, even with open connections', async () => {
  const client = new pg.Client(await freshDatabase(server!))
  const disconnected = new Promise((resolve) => client.on('error', resolve))
  await client.connect()
  const admin = new pg.Client(server!)
  await admin.connect()
  const countDatabases = async () =>
    (await admin.query('select 1 from pg_database where datname = $1', [client.database])).rowCount
  expect(await countDatabases()).toBe(1)
  await dropDatabases()
  expect(await countDatabases()).toBe(0)
  await disconnected
  await admin.end()
})
