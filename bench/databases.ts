import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { startPostgres } from '../packages/postgres/test/embedded-postgres.ts'
import { type Data, seed } from './data.ts'
import { atEnd } from './processes.ts'
import type { DatabaseName } from './rows.ts'

/** A database that was seeded once, and is copied for whoever uses it. */
export interface SeededDatabase {
  readonly name: DatabaseName
  readonly data: Data
  readonly version: string
  /** The address of a copy. One of the same name is replaced. */
  copy(name: string): Promise<string>
}

export async function seededSqlite(folder: string): Promise<SeededDatabase> {
  const file = join(folder, 'seeded.db')
  const data = await seed(`sqlite:${file}`)
  const opened = new Database(file)
  const version = opened.prepare('select sqlite_version()').pluck().get() as string
  opened.close()
  let copies = 0
  return {
    name: 'sqlite',
    data,
    version: `SQLite ${version}`,
    async copy(name) {
      const copied = join(folder, `${name}-${++copies}.db`)
      copyFileSync(file, copied)
      return `sqlite:${copied}`
    },
  }
}

/** With its own defaults: what it acknowledges is on the disk. `undefined` on a machine that has no PostgreSQL. */
export async function seededPostgres(): Promise<SeededDatabase | undefined> {
  const server = await startPostgres({ durable: true })
  if (!server) return undefined
  atEnd(server.stop)
  const admin = new pg.Client({ connectionString: server.url })
  // Unheard, the server's end would end this process first.
  admin.on('error', () => {})
  await admin.connect()
  await admin.query('create database seeded')
  const data = await seed(addressOf(server.url, 'seeded'))
  await settle(addressOf(server.url, 'seeded'))
  const { rows } = await admin.query<{ server_version: string }>('show server_version')
  return {
    name: 'postgres',
    data,
    version: `PostgreSQL ${rows[0]!.server_version}`,
    async copy(name) {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.query(`create database ${name} template seeded`)
      await admin.query('checkpoint')
      return addressOf(server.url, name)
    },
  }
}

/** So that no copy begins with its own vacuum. */
async function settle(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum (freeze, analyze)')
  await client.end()
}

function addressOf(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href
}
