import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll } from 'vitest'

const createdDatabases: { readonly server: string; readonly name: string }[] = []

/**
 * Creates a database on the server of `url`, so that test files are isolated. It is dropped after the tests
 * of the file.
 */
export async function freshDatabase(url: string): Promise<string> {
  const name = `crm_${randomBytes(8).toString('hex')}`
  await execute(url, `create database ${name}`)
  createdDatabases.push({ server: url, name })
  const fresh = new URL(url)
  fresh.pathname = `/${name}`
  return fresh.href
}

/** Drops the created databases and disconnects their clients. The server may belong to somebody else. */
export async function dropDatabases(): Promise<void> {
  for (const { server, name } of createdDatabases.splice(0))
    await execute(server, `drop database ${name} with (force)`)
}

afterAll(dropDatabases)

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}
