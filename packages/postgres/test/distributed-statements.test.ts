import { randomUUID } from 'node:crypto'
import { type Records, SHAPES, type Storage } from '@sales-crm/core/ports'
import { type Connection, sqlStorage } from '@sales-crm/sql'
import { expect, test } from 'vitest'
import { distributedDialect } from '../src/distribution/distributed-dialect.ts'
import { AT, CLAIM } from './deliveries.ts'

const [WORKSPACE, ID] = [randomUUID(), randomUUID()]
/** Each must name the workspace: a join compares it with that of the joined row. */
const TABLE = new RegExp(`(?:from|into|update) "?(?:${Object.keys(SHAPES).join('|')})"?\\b`, 'g')
const WORKSPACE_CONDITION = /workspace_id"? = \$\d+|insert into "\w+" \("workspace_id"/g
const PAGE = { page: 1, per_page: 20, order_by: 'created_at', order: 'asc' } as const

/** True if a part of the statement reads or writes a table without a condition on the workspace. */
function isUnscoped(sql: string): boolean {
  return splitQueries(sql).some(
    (query) => (query.match(TABLE) ?? []).length > (query.match(WORKSPACE_CONDITION) ?? []).length,
  )
}

/** Splits a statement into itself and its subqueries, each without those within it. */
function splitQueries(sql: string): readonly string[] {
  const queries = ['']
  const open: number[] = [0]
  for (const [index, char] of [...sql].entries()) {
    if (char === '(') {
      const isSubquery = /^\(\s*(select|insert|update|delete|with)\b/i.test(sql.slice(index, index + 40))
      open.push(isSubquery ? queries.push('') - 1 : open.at(-1)!)
    }
    queries[open.at(-1)!] += char
    if (char === ')') open.pop()
  }
  return queries
}

/** Records each statement, which finds no rows, and a total of 0. */
function createRecordingStorage(): { storage: Storage; statements: Set<string> } {
  const statements = new Set<string>()
  const connection: Connection = {
    query: async ({ sql }) => {
      statements.add(sql)
      return / as "?total/.test(sql) ? [{ total: 0 }] : []
    },
    execute: async ({ sql }) => statements.add(sql).size,
    executeMany: async ({ sql }) => void statements.add(sql),
    savepoint: (work) => work(),
  }
  const run = <T>(work: (connection: Connection) => Promise<T>) => work(connection)
  const [check, close] = [async () => {}, async () => {}]
  const storage = sqlStorage({ transact: run, read: run, check, close }, distributedDialect)
  return { storage, statements }
}

test('each statement on a table of workspaces names one', async () => {
  const { storage, statements } = createRecordingStorage()
  const person = { field: 'person_id', whereRelated: { collection: 'people', where: [] } } as const
  const [word, prefix] = [
    { field: 'search_terms', hasTerm: 'acme' },
    { field: 'search_terms', hasPrefix: 'ac' },
  ] as const
  const record = { id: ID, created_at: AT, updated_at: AT }
  await storage.transact(async (tx) => {
    const stores = tx.workspace(WORKSPACE)
    for (const name of Object.keys(SHAPES) as (keyof typeof SHAPES)[]) {
      const store = stores[name] as typeof stores.deals
      await store.get(ID)
      await store.getMany([ID])
      await store.getForUpdate(randomUUID())
      await store.getForShare(randomUUID())
      await store.find([{ field: 'id', is: ID }])
      await store.has([{ field: 'id', oneOf: [ID] }])
      await store.list({ ...PAGE, where: [] })
      await store.scan({ state: 'live', after: ID, limit: 10 })
      await store.insert(record as Records['deals'])
      await store.insertMany([1, 2, 3].map(() => ({ ...record, id: randomUUID() })) as Records['deals'][])
      await store.update(record as Records['deals'])
      await store.softDelete(ID, AT)
      await store.hardDelete(ID)
    }
    const { deals } = stores
    for (const where of [[word], [prefix], [person], [word, person], [{ not: word }]] as const) {
      await deals.list({ ...PAGE, where })
      await deals.has(where)
      await deals.find(where)
    }
    await deals.countByTerm('search_terms', ['acme'])
    await tx.measureWorkspace(WORKSPACE)
  })
  expect(statements.size).toBeGreaterThan(300)
  expect([...statements].filter(isUnscoped)).toEqual([])
})

test('only statements of the outbox that find rows read all shards', async () => {
  const { storage, statements } = createRecordingStorage()
  await storage.transact(async (tx) => {
    await tx.outbox.claim(CLAIM)
    await tx.outbox.backlog()
    await tx.outbox.deleteFinished(AT, 10)
  })
  const unscoped = [...statements].filter(isUnscoped)
  expect(unscoped).toHaveLength(4)
  for (const sql of unscoped) expect(sql).toMatch(/^select /)
})
