import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type DatabaseLocation, openStorageAt } from './database-location.ts'
import { runStatement } from './run-statement.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A file that has all migrations and no rows. */
    migratedFile: string
    /** The name of a database that has all migrations and no rows, on the server of `postgresUrl`. */
    migratedDatabase: string
  }
}

/** Migrates one database of each driver. Tests begin with a copy, since migrations take longer than most of them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-migrated-'))
  const file = join(folder, 'crm.db')
  await migrate({ driver: 'sqlite', location: file })
  project.provide('migratedFile', file)
  const { postgresUrl } = project.getProvidedContext()
  const database = `crm_${project.name}_${process.pid}`
  project.provide('migratedDatabase', database)
  if (postgresUrl !== null) {
    await runStatement(postgresUrl, `create database ${database}`)
    const location = Object.assign(new URL(postgresUrl), { pathname: `/${database}` }).href
    await migrate({ driver: 'postgres', location })
  }
  return async () => {
    rmSync(folder, { recursive: true, force: true })
    if (postgresUrl !== null) await dropDatabases(postgresUrl, database)
  }
}

async function migrate(location: DatabaseLocation): Promise<void> {
  await (await openStorageAt(location)).close()
}

/** Drops the database and its copies: a test that failed can have left one. */
async function dropDatabases(server: string, prefix: string): Promise<void> {
  const databases = await runStatement<{ datname: string }>(
    server,
    `select datname from pg_database where starts_with(datname, '${prefix}')`,
  )
  for (const { datname } of databases) await runStatement(server, `drop database ${datname} with (force)`)
}
