import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** A database of its own on the server that `url` names, so that test files do not meet. */
export async function freshDatabase(url: string): Promise<string> {
  const name = `crm_${randomBytes(8).toString('hex')}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const fresh = new URL(url)
  fresh.pathname = `/${name}`
  return fresh.href
}
