import { randomUUID } from 'node:crypto'
import { sqlStorage } from '@sales-crm/sql'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createGateContext } from '../../conformance/src/access-gate-context.ts'
import { createContext } from '../../conformance/src/case.ts'
import { ACCESS_GATE_GROUPS, STORAGE_GROUPS } from '../../conformance/src/groups.ts'
import { distributedDialect } from '../src/distribution/distributed-dialect.ts'
import { SEPARATE_SHARED_VERSION } from '../src/distribution/shared-settings-version.ts'
import { CREATE_AUTHORIZE } from '../src/gate-statements.ts'
import { PostgresDatabase, runMigrations } from '../src/postgres-database.ts'
import { AT } from './deliveries.ts'
import { freshDatabase } from './fresh-database.ts'

const server = inject('postgresUrl')
/** The groups of the contract whose statements differ from those on one server. */
const GROUPS = new Set([
  ...['search terms', 'search pages', 'countByTerm', 'related records', 'logical conditions', 'insertMany'],
  ...['claim', 'markDelivered', 'deleteFinished', 'backlog', 'relaxed durability'],
])

describe.runIf(server !== null)('a database whose tables are distributed', () => {
  let url: string
  let storage: ReturnType<typeof sqlStorage>
  let database: PostgresDatabase

  beforeAll(async () => {
    url = await freshDatabase(server!)
    await runMigrations({ url })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const statement of [...SEPARATE_SHARED_VERSION, CREATE_AUTHORIZE]) await client.query(statement)
    await client.end()
    database = new PostgresDatabase({ url }, true)
    storage = sqlStorage(database, distributedDialect)
  }, 60_000)

  afterAll(() => storage?.close())

  for (const { name, cases } of STORAGE_GROUPS.filter((group) => GROUPS.has(group.name)))
    describe(name, () => {
      test.each(cases)('$name', ({ run }) => run(createContext(storage)), 30_000)
    })

  for (const { name, cases } of ACCESS_GATE_GROUPS)
    describe(name, () => {
      test.each(cases)(
        '$name',
        ({ run }) => run(createGateContext({ storage, gate: database.gate, advance: undefined })),
        90_000,
      )
    })

  test('a changed user is read again', async () => {
    const id = randomUUID()
    const user = (name: string) => ({
      ...{ id, name, email: 'ana@one.example', password_hash: null, email_verified_at: null },
      ...{ workspace_ids: [], created_at: AT, updated_at: AT },
    })
    const readName = () => storage.read(async (tx) => (await tx.users.get(id))?.name)
    await storage.transact((tx) => tx.users.insert(user('Ana')))
    expect(await readName()).toBe('Ana')
    await storage.transact((tx) => tx.users.update(user('Bia')))
    expect(await readName()).toBe('Bia')
  })
})
