import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { startPostgres } from '../packages/postgres/test/embedded-postgres.ts'
import { type Data, seed } from './data.ts'
import { onExit } from './processes.ts'
import type { DatabaseName } from './rows.ts'

/** A database that is seeded once and copied for each use. */
export interface SeededDatabase {
  readonly name: DatabaseName
  readonly data: Data
  readonly version: string
  /** Creates a copy and returns its URL. Replaces an earlier copy of the same name. */
  copy(name: string): Promise<string>
}

export async function seedSqlite(folder: string): Promise<SeededDatabase> {
  const file = join(folder, 'seeded.db')
  const data = await seed(`sqlite:${file}`)
  const connection = new Database(file)
  const version = connection.prepare('select sqlite_version()').pluck().get() as string
  connection.close()
  let copyCount = 0
  return {
    name: 'sqlite',
    data,
    version: `SQLite ${version}`,
    async copy(name) {
      const copyFile = join(folder, `${name}-${++copyCount}.db`)
      copyFileSync(file, copyFile)
      return `sqlite:${copyFile}`
    },
  }
}

/**
 * Seeds a PostgreSQL server with default durability.
 * @returns undefined on a machine without PostgreSQL
 */
export async function seedPostgres(): Promise<SeededDatabase | undefined> {
  const server = await startPostgres({ durable: true })
  if (!server) return undefined
  onExit(server.stop)
  const admin = new pg.Client({ connectionString: server.url })
  // Without a listener, the server's shutdown would end this process with an error.
  admin.on('error', () => {})
  await admin.connect()
  await admin.query('create database seeded')
  const data = await seed(withDatabaseName(server.url, 'seeded'))
  await vacuum(withDatabaseName(server.url, 'seeded'))
  const { rows } = await admin.query<{ server_version: string }>('show server_version')
  return {
    name: 'postgres',
    data,
    version: `PostgreSQL ${rows[0]!.server_version}`,
    async copy(name) {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.query(`create database ${name} template seeded`)
      await admin.query('checkpoint')
      return withDatabaseName(server.url, name)
    },
  }
}

/** Vacuums the database, so that copies need no vacuum. */
async function vacuum(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum (freeze, analyze)')
  await client.end()
}

function withDatabaseName(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href
}
