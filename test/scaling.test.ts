import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../packages/postgres/test/embedded-postgres.ts'
import { startStandby } from '../packages/postgres/test/standby.ts'
import { readCommands, runInShell } from './faults/documented-commands.ts'

const servers: TestPostgres[] = []
const folder = mkdtempSync(join(tmpdir(), 'crm-scaling-test-'))

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  rmSync(folder, { recursive: true, force: true })
})

/** Variables of the commands. Nothing listens at the third address. */
function variables() {
  const [leader, standby] = servers.map(({ url }) => new URL(url).host)
  return {
    HOME: folder,
    DATA_DIR: folder,
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
    PASSWORD: 'secret',
    DB1: '127.0.0.1:1',
    DB2: standby!,
    DB3: leader!,
  }
}

describe.runIf(inject('postgresUrl') !== null)('the commands of docs/scaling.md', () => {
  beforeAll(async () => {
    const leader = (await startPostgres({ durable: true }))!
    servers.push(leader)
    const client = new pg.Client({ connectionString: leader.url })
    await client.connect()
    await client.query("create role crm login password 'secret' in role pg_monitor")
    await client.query('create database crm owner crm')
    await client.end()
    servers.push(await startStandby(leader))
  }, 120_000)

  test('migrate a cluster and check it, whichever server takes writes', async () => {
    const { DB2, DB3, ...others } = variables()
    const output = await runInShell(readCommands('scaling.md', 'A cluster'), { ...others, DB2, DB3 })
    expect(output).toMatch(/0001_records/)
    expect(output).toMatch(
      new RegExp(`warn +replication +${DB3} takes writes, .* follows\\. Commits do not wait for a standby`),
    )
  }, 120_000)

  test('use replicas', async () => {
    const { DB2, DB3, ...others } = variables()
    // The leader is in the list as well, and left out.
    const DATABASE_URL = `postgres://crm:secret@${DB3}/crm`
    const output = await runInShell(readCommands('scaling.md', 'Read replicas'), {
      ...others,
      ...{ DATABASE_URL, DB2, DB3 },
    })
    expect(output).toMatch(
      new RegExp(`ok +replicas +${DB2} is read from, (up to date|\\d\\.\\d s behind); ${DB3} takes writes`),
    )
  }, 120_000)
})
