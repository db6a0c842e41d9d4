import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { DatabaseLocation } from './database-location.ts'

/** While it is under another name, whatever asks for the table fails as nobody foresaw. */
export async function withMissingTable(
  { driver, location: where }: DatabaseLocation,
  table: string,
  work: () => Promise<void>,
): Promise<void> {
  await run(`alter table ${table} rename to ${table}_gone`)
  await work()
  await run(`alter table ${table}_gone rename to ${table}`)

  async function run(sql: string): Promise<void> {
    if (driver === 'sqlite') {
      const file = new DatabaseSync(where)
      file.exec(sql)
      return file.close()
    }
    const client = new pg.Client(where)
    await client.connect()
    await client.query(sql)
    await client.end()
  }
}
