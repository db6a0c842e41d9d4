import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { DatabaseLocation } from './database-location.ts'

/** Renames a table while `work` runs, so that any statement on it fails with an unexpected error. */
export async function withMissingTable(
  { driver, location }: DatabaseLocation,
  table: string,
  work: () => Promise<void>,
): Promise<void> {
  await run(`alter table ${table} rename to ${table}_gone`)
  await work()
  await run(`alter table ${table}_gone rename to ${table}`)

  async function run(sql: string): Promise<void> {
    if (driver === 'sqlite') {
      const file = new DatabaseSync(location, { timeout: 5000 })
      file.exec(sql)
      return file.close()
    }
    const client = new pg.Client(location)
    await client.connect()
    await client.query(sql)
    await client.end()
  }
}
