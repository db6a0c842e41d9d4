import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Storage } from '@sales-crm/core/ports'
import { postgresStorage } from '@sales-crm/postgres'
import { sqliteStorage } from '@sales-crm/sqlite'
import Database from 'better-sqlite3'
import pg from 'pg'
import { startPostgres } from '../packages/postgres/test/embedded-postgres.ts'
import { onExit } from './processes.ts'

export type DatabaseName = 'sqlite' | 'postgres'
export const DATABASES: readonly DatabaseName[] = ['sqlite', 'postgres']

/** Creates databases of one kind, which are deleted at the end. */
export interface Databases {
  readonly name: DatabaseName
  readonly version: string
  /** Creates a database and fills it. Returns its URL and the result of `fill`. */
  create<T>(name: string, fill: (storage: Storage) => Promise<T>): Promise<readonly [url: string, filled: T]>
  /** Copies a database that has no connections, and returns the copy's URL. Replaces a PostgreSQL copy. */
  copy(url: string, name: string): Promise<string>
}

/** @throws Error for PostgreSQL on a machine that npm has none for */
export function openDatabases(name: DatabaseName, folder: string): Promise<Databases> {
  return name === 'sqlite' ? createSqliteFiles(folder) : startPostgresDatabases()
}

export function openStorage(databaseUrl: string): Promise<Storage> {
  const file = sqliteFile(databaseUrl)
  return file === undefined ? postgresStorage({ url: databaseUrl }) : sqliteStorage({ file })
}

/** Returns the file of a SQLite URL, or `undefined` for another database. */
export function sqliteFile(databaseUrl: string): string | undefined {
  return databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined
}

/** Opens a connection. The server's shutdown does not end this process with an error. */
export async function connectPostgres(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function createSqliteFiles(folder: string): Promise<Databases> {
  const memory = new Database(':memory:')
  const version = memory.prepare('select sqlite_version()').pluck().get()
  memory.close()
  let fileCount = 0
  const nextFile = (name: string) => join(folder, `${name}-${++fileCount}.db`)
  return {
    name: 'sqlite',
    version: `SQLite ${version}`,
    async create(name, fill) {
      const url = `sqlite:${nextFile(name)}`
      return [url, await fillDatabase(url, fill)]
    },
    async copy(url, name) {
      const file = nextFile(name)
      copyFileSync(sqliteFile(url)!, file)
      return `sqlite:${file}`
    },
  }
}

/** Starts PostgreSQL with default durability: acknowledged writes are on the disk. */
async function startPostgresDatabases(): Promise<Databases> {
  const server = await startPostgres({ durable: true })
  if (!server) throw new Error('npm has no PostgreSQL for this machine. Use --only sqlite.')
  onExit(server.stop)
  const admin = await connectPostgres(server.url)
  const { rows } = await admin.query<{ server_version: string }>('show server_version')
  return {
    name: 'postgres',
    version: `PostgreSQL ${rows[0]!.server_version}`,
    async create(name, fill) {
      const url = withDatabaseName(server.url, name)
      await admin.query(`create database ${name}`)
      const filled = await fillDatabase(url, fill)
      // The database and its copies need no vacuum during the measurement.
      await runStatements(url, 'vacuum (freeze, analyze)', 'checkpoint')
      return [url, filled]
    },
    async copy(url, name) {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.query(`create database ${name} template ${new URL(url).pathname.slice(1)}`)
      await admin.query('checkpoint')
      return withDatabaseName(server.url, name)
    },
  }
}

/** SQLite's write-ahead log is in the file once the storage is closed. */
async function fillDatabase<T>(url: string, fill: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(url)
  try {
    return await fill(storage)
  } finally {
    await storage.close()
  }
}

async function runStatements(url: string, ...statements: readonly string[]): Promise<void> {
  const client = await connectPostgres(url)
  for (const statement of statements) await client.query(statement)
  await client.end()
}

export function withDatabaseName(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href
}
