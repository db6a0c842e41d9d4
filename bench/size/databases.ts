import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '@sales-crm/core/ports'
import Database from 'better-sqlite3'
import pg from 'pg'
import { startPostgres } from '../../packages/postgres/test/embedded-postgres.ts'
import { openStorage } from '../data.ts'
import { atEnd } from '../processes.ts'
import type { DatabaseName } from '../rows.ts'

/** Where databases of one kind are made. They are gone at the end. */
export interface Databases {
  readonly name: DatabaseName
  readonly version: string
  /** A new one, filled by `fill`, and settled as one is that has been there for long. */
  make(name: string, fill: (storage: Storage) => Promise<void>): Promise<FilledDatabase>
}

export interface FilledDatabase {
  readonly url: string
  readonly megabytes: number
}

/** `undefined` for PostgreSQL on a machine that has none. */
export function databasesOf(name: DatabaseName): Promise<Databases | undefined> {
  return name === 'sqlite' ? sqliteFiles() : postgresDatabases()
}

async function sqliteFiles(): Promise<Databases> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const memory = new Database(':memory:')
  const version = memory.prepare('select sqlite_version()').pluck().get() as string
  memory.close()
  return {
    name: 'sqlite',
    version: `SQLite ${version}`,
    async make(name, fill) {
      const file = join(folder, `${name}.db`)
      // Closing brings all of it from the log into the file.
      await fillDatabase(`sqlite:${file}`, fill)
      return { url: `sqlite:${file}`, megabytes: Math.round(statSync(file).size / 1e6) }
    },
  }
}

/** With its own defaults: what it acknowledges is on the disk. */
async function postgresDatabases(): Promise<Databases | undefined> {
  const server = await startPostgres({ durable: true })
  if (!server) return undefined
  atEnd(server.stop)
  const version = await queryStatement(server.url, 'show server_version')
  return {
    name: 'postgres',
    version: `PostgreSQL ${version}`,
    async make(name, fill) {
      await queryStatement(server.url, `create database ${name}`)
      const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href
      await fillDatabase(url, fill)
      await queryStatement(url, 'vacuum (analyze)')
      const bytes = await queryStatement(url, 'select pg_database_size(current_database())')
      await queryStatement(url, 'checkpoint')
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

/** The first value of what a statement answers. */
async function queryStatement(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement)
    return Object.values(rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}
