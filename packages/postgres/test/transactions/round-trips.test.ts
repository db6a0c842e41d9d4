import { sqlStorage } from '@sales-crm/sql'
import { expect, test } from 'vitest'
import { postgresDialect } from '../../src/dialect/postgres-dialect.ts'

const ID = '0191d2f0-0000-7000-8000-000000000001'
const AT = '2026-03-01T12:00:00.000Z'

/** Creates a storage that resolves concurrent statements together and records each round trip. */
function createCountingStorage(results: Readonly<Record<string, readonly object[]>>) {
  const roundTrips: string[][] = []
  let pending: string[] = []
  const connection = {
    async query({ sql }: { readonly sql: string }) {
      if (pending.length === 0) roundTrips.push(pending)
      pending.push(sql)
      await new Promise((resolve) => setImmediate(resolve))
      pending = []
      return (Object.entries(results).find(([beginning]) => sql.startsWith(beginning))?.[1] ?? []) as Record<
        string,
        unknown
      >[]
    },
    execute: rejectUse,
    executeMany: rejectUse,
    savepoint: rejectUse,
  }
  const runWork = <T>(work: (workConnection: typeof connection) => Promise<T>) => work(connection)
  const storage = sqlStorage(
    {
      read: runWork,
      transact: runWork,
      check: rejectUse,
      close: rejectUse,
    },
    postgresDialect,
  )
  return { storage, roundTrips }
}

const rejectUse = () => Promise.reject(new Error('Not used here.'))
const task = { id: ID, owner_user_id: ID, created_at: AT, updated_at: AT }
const versions = [{ scope: ID, version: 'one' }]

test('a shallow unfiltered page, its total and the settings version take one round trip', async () => {
  const { storage, roundTrips } = createCountingStorage({
    'select "id"': [{ ...task, total: '7' }],
    'select "scope"': versions,
  })
  const query = { page: 1, per_page: 50, order_by: 'created_at', order: 'desc', where: [] } as const
  const { rows, total } = await storage.read((tx) => tx.workspace(ID).tasks.list(query), {
    isolation: 'statement',
  })
  expect([rows, total]).toEqual([[task], 7])
  expect(roundTrips.map((statements) => statements.map((sql) => sql.slice(0, 11)))).toEqual([
    ['select "id"', 'select "sco'],
  ])
})

test('a record with its references and its settings version take one round trip', async () => {
  const { storage, roundTrips } = createCountingStorage({ 'select "scope"': versions })
  await storage.read((tx) => tx.workspace(ID).tasks.get(ID), {
    isolation: 'statement',
  })
  expect(roundTrips.map((statements) => statements.map((sql) => sql.includes('settings_versions')))).toEqual([
    [false, true],
  ])
})

test('an optimistic lock reads the record and its references in one round trip', async () => {
  const person = { ...task, id_0: null, id_1: ID, id_2: null, id_3: null, id_4: null }
  const { storage, roundTrips } = createCountingStorage({ 'select "r"': [person], 'select "id"': [task] })
  const locked = await storage.transact(async (tx) => {
    const { tasks } = tx.workspace(ID)
    return [await tasks.getForUpdate(ID, { lock: 'optimistic' }), await tasks.getForUpdate(ID)]
  })
  expect(locked).toEqual([task, task])
  const kinds = roundTrips.map((statements) =>
    statements.map((sql) =>
      sql.endsWith('for no key update') ? 'lock' : sql.includes('left join') ? 'references' : sql,
    ),
  )
  expect(kinds).toEqual([['lock', 'references'], ['lock']])
})

test('versions are not read for lists without settings, nor in advance of a write', async () => {
  const { storage, roundTrips } = createCountingStorage({ 'select coalesce': [{ total: '0' }] })
  const query = { page: 1, per_page: 50, order_by: 'created_at', order: 'desc', where: [] } as const
  await storage.read((tx) => tx.workspace(ID).tags.list(query))
  await storage.transact((tx) => tx.workspace(ID).tasks.list(query))
  expect(roundTrips.flat().filter((sql) => sql.includes('settings_versions'))).toEqual([])
})
