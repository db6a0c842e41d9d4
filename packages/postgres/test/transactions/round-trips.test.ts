import { sqlStorage } from '@sales-crm/sql'
import { expect, test } from 'vitest'
import { postgresDialect } from '../../src/dialect/postgres-dialect.ts'

const ID = '0191d2f0-0000-7000-8000-000000000001'
const AT = '2026-03-01T12:00:00.000Z'

/** A database that answers what was asked together once nothing more is, and counts how often. */
function createCountingStorage(answers: Readonly<Record<string, readonly object[]>>) {
  const rounds: string[][] = []
  let pending: string[] = []
  const connection = {
    async query({ sql }: { readonly sql: string }) {
      if (pending.length === 0) rounds.push(pending)
      pending.push(sql)
      await new Promise((resolve) => setImmediate(resolve))
      pending = []
      return (Object.entries(answers).find(([beginning]) => sql.startsWith(beginning))?.[1] ?? []) as Record<
        string,
        unknown
      >[]
    },
    execute: rejectUse,
    executeMany: rejectUse,
    savepoint: rejectUse,
  }
  const run = <T>(work: (given: typeof connection) => Promise<T>) => work(connection)
  const storage = sqlStorage(
    {
      read: run,
      transact: run,
      check: rejectUse,
      close: rejectUse,
    },
    postgresDialect,
  )
  return { storage, rounds }
}

const rejectUse = () => Promise.reject(new Error('Not used here.'))
const task = { id: ID, owner_user_id: ID, created_at: AT, updated_at: AT }
const versions = [{ scope: ID, version: 'one' }]

test('a near page of a whole list, its total and the version of the settings are one message', async () => {
  const { storage, rounds } = createCountingStorage({
    'select "id"': [{ ...task, total: '7' }],
    'select "scope"': versions,
  })
  const query = { page: 1, per_page: 50, order_by: 'created_at', order: 'desc', where: [] } as const
  const { rows, total } = await storage.read((tx) => tx.workspace(ID).tasks.list(query), {
    isolation: 'statement',
  })
  expect([rows, total]).toEqual([[task], 7])
  expect(rounds.map((round) => round.map((sql) => sql.slice(0, 11)))).toEqual([
    ['select "id"', 'select "sco'],
  ])
})

test('a record with its links comes with the version of the settings that it will be shown with', async () => {
  const { storage, rounds } = createCountingStorage({ 'select "scope"': versions })
  await storage.read((tx) => tx.workspace(ID).tasks.get(ID, { include: 'references' }), {
    isolation: 'statement',
  })
  expect(rounds.map((round) => round.map((sql) => sql.includes('settings_versions')))).toEqual([
    [false, true],
  ])
})

test('a record that is held comes with its links in one message, but only where it is to be changed', async () => {
  const person = { ...task, id_0: null, id_1: ID, id_2: null, id_3: null, id_4: null }
  const { storage, rounds } = createCountingStorage({ 'select "r"': [person], 'select "id"': [task] })
  const held = await storage.transact(async (tx) => {
    const { tasks } = tx.workspace(ID)
    return [await tasks.getForUpdate(ID, { lock: 'optimistic' }), await tasks.getForUpdate(ID)]
  })
  expect(held).toEqual([task, task])
  const kinds = rounds.map((round) =>
    round.map((sql) =>
      sql.endsWith('for no key update') ? 'held' : sql.includes('left join') ? 'along' : sql,
    ),
  )
  expect(kinds).toEqual([['held', 'along'], ['held']])
})

test('nobody asks for versions of what is shown with no settings, nor ahead of a write that may change them', async () => {
  const { storage, rounds } = createCountingStorage({ 'select coalesce': [{ total: '0' }] })
  const query = { page: 1, per_page: 50, order_by: 'created_at', order: 'desc', where: [] } as const
  await storage.read((tx) => tx.workspace(ID).tags.list(query))
  await storage.transact((tx) => tx.workspace(ID).tasks.list(query))
  expect(rounds.flat().filter((sql) => sql.includes('settings_versions'))).toEqual([])
})
