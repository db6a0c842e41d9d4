import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '@sales-crm/core/ports'
import Database from 'better-sqlite3'
import pg from 'pg'
import { startPostgres } from '../../packages/postgres/test/embedded-postgres.ts'
import { openStorage } from '../data.ts'
import { onExit } from '../processes.ts'
import type { DatabaseName } from '../rows.ts'

/** Creates databases of one kind, which are deleted at the end. */
export interface Databases {
  readonly name: DatabaseName
  readonly version: string
  /** Creates a database, fills it, and brings it into the state of one in long use. */
  create(name: string, fill: (storage: Storage) => Promise<void>): Promise<FilledDatabase>
}

export interface FilledDatabase {
  readonly url: string
  readonly megabytes: number
}

/** Returns undefined for PostgreSQL on a machine without it. */
export function openDatabases(name: DatabaseName): Promise<Databases | undefined> {
  return name === 'sqlite' ? createSqliteFiles() : startPostgresDatabases()
}

async function createSqliteFiles(): Promise<Databases> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  onExit(() => rmSync(folder, { recursive: true, force: true }))
  const memory = new Database(':memory:')
  const version = memory.prepare('select sqlite_version()').pluck().get() as string
  memory.close()
  return {
    name: 'sqlite',
    version: `SQLite ${version}`,
    async create(name, fill) {
      const file = join(folder, `${name}.db`)
      // Closing checkpoints the write-ahead log into the file.
      await fillDatabase(`sqlite:${file}`, fill)
      return { url: `sqlite:${file}`, megabytes: Math.round(statSync(file).size / 1e6) }
    },
  }
}

/** Starts PostgreSQL with default durability: acknowledged writes are on the disk. */
async function startPostgresDatabases(): Promise<Databases | undefined> {
  const server = await startPostgres({ durable: true })
  if (!server) return undefined
  onExit(server.stop)
  const version = await queryValue(server.url, 'show server_version')
  return {
    name: 'postgres',
    version: `PostgreSQL ${version}`,
    async create(name, fill) {
      await queryValue(server.url, `create database ${name}`)
      const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href
      await fillDatabase(url, fill)
      await queryValue(url, 'vacuum (analyze)')
      const bytes = await queryValue(url, 'select pg_database_size(current_database())')
      await queryValue(url, 'checkpoint')
      return { url, megabytes: Math.round(Number(bytes) / 1e6) }
    },
  }
}

async function fillDatabase(url: string, fill: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await openStorage(url)
  try {
    await fill(storage)
  } finally {
    await storage.close()
  }
}

/** Runs a statement and returns the first value of its first row. */
async function queryValue(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement)
    return Object.values(rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}
