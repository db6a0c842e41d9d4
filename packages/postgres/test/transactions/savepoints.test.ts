import { randomUUID } from 'node:crypto'
import type { Transaction } from '@sales-crm/core/ports'
import { compileStatement } from '@sales-crm/sql'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { postgresDialect } from '../../src/dialect/postgres-dialect.ts'
import { postgresStorage } from '../../src/index.ts'
import { createPooledTransactions } from '../../src/transactions/pooled-transactions.ts'
import { createPool } from '../../src/wire/pool.ts'
import { freshDatabase } from '../fresh-database.ts'

const server = inject('postgresUrl')
const AT = '2026-03-01T12:00:00.000Z'
const taskType = (key: string) => ({
  id: randomUUID(),
  title: 'Call',
  color: '#6b7280',
  key,
  created_at: AT,
  updated_at: AT,
})

async function openStorage() {
  const url = await freshDatabase(server!)
  const storage = await postgresStorage({ url })
  const workspace = randomUUID()
  const types = (tx: Transaction) => tx.workspace(workspace).task_types
  const keys = async () => (await storage.read((tx) => types(tx).find([]))).map(({ key }) => key).sort()
  return { url, storage, types, keys }
}

/** A transaction over SQL of one's own. */
async function openRawTransactions() {
  const url = await freshDatabase(server!)
  const pool = createPool({ url, pool: 1 })
  await pool.query('create table notes (body text unique)')
  const rawStatement = (text: string, plan: 'generic' | 'custom' = 'generic') =>
    compileStatement({ compile: () => sql.raw(text).compile(postgresDialect.compiler) }, { plan })
  const bodies = async () =>
    (await pool.query<{ body: string }>('select body from notes order by body')).rows.map(({ body }) => body)
  return { pool, asked: rawStatement, bodies, ...createPooledTransactions(pool, true) }
}

describe.runIf(server !== null)('parts of a transaction that may fail alone', () => {
  test('of two that lock each other out, both transactions are done in the end, though each catches the failure', async () => {
    const { storage, types, keys } = await openStorage()
    const [a, b] = [taskType('a'), taskType('b')]
    await storage.transact((tx) => types(tx).insertMany([a, b]))
    let meet = () => {}
    const met = new Promise<void>((resolve) => {
      meet = resolve
    })
    let [runs, holding] = [0, 0]
    const crossing = (first: typeof a, second: typeof a) =>
      storage.transact(async (tx) => {
        runs += 1
        await types(tx).getForUpdate(first.id)
        holding += 1
        if (holding === 2) meet()
        await met
        await tx
          .savepoint(() => types(tx).update({ ...second, key: `${second.key}+` }, second))
          .catch(() => undefined)
        await types(tx).update({ ...first, title: `${first.key} first` }, first)
      })
    await Promise.all([crossing(a, b), crossing(b, a)])
    expect(runs).toBe(3)
    const both = await storage.read((tx) => types(tx).find([]))
    expect(both.map(({ title }) => title).sort()).toEqual(['a first', 'b first'])
    expect(await keys()).toEqual(['a+', 'b+'])
    await storage.close()
  })

  test('a connection killed in one fails the whole, though the work goes on', async () => {
    const { url, storage, types, keys } = await openStorage()
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    const killed = storage.transact(async (tx) => {
      await types(tx).insert(taskType('before'))
      const part = tx.savepoint(async () => {
        await types(tx).find([])
        await admin.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
        )
        await types(tx).find([])
      })
      await part.catch(() => undefined)
      return 'went on'
    })
    await expect(killed).rejects.toThrow()
    expect(await keys()).toEqual([])
    await admin.end()
    await storage.close()
  })

  test.each([
    ['53100', 'could not extend file'],
    ['40001', 'could not serialize access'],
    ['XX000', 'unexpected'],
  ])('a failure of kind %s in one is that of the whole, and nothing is kept', async (code, message) => {
    const { pool, asked, bodies, transact } = await openRawTransactions()
    const failing = transact(async ({ executeMany, savepoint }) => {
      await executeMany(asked("insert into notes values ('before')"), [[]])
      const part = savepoint(() =>
        executeMany(asked(`do $$ begin raise '${message}' using errcode = '${code}'; end $$`), [[]]),
      )
      await part.catch(() => undefined)
      return 'went on'
    })
    await expect(failing).rejects.toThrow(message)
    expect(await bodies()).toEqual([])
    await pool.end()
  })

  test('what fails in one, waited for or not, is taken back alone, and the first failure is the one thrown', async () => {
    const { pool, asked, bodies, transact } = await openRawTransactions()
    const add = (body: string) => asked(`insert into notes values ('${body}')`)
    const thrown = await transact(async ({ executeMany, query, savepoint }) => {
      await executeMany(add('before'), [[]])
      const part = savepoint(async () => {
        await executeMany(add('within'), [[]])
        await executeMany(add('before'), [[]])
        await query(asked('select 1/0'), []).catch(() => undefined)
      })
      const failure = await part.catch((error: unknown) => error)
      await executeMany(add('after'), [[]])
      return failure
    })
    expect(thrown).toMatchObject({ code: '23505' })
    expect(await bodies()).toEqual(['after', 'before'])
    await pool.end()
  })

  test('one that follows a failed write throws that write’s failure, and so does the transaction', async () => {
    const { pool, asked, bodies, transact } = await openRawTransactions()
    const failing = transact(async ({ executeMany, savepoint }) => {
      await executeMany(asked('select 1/0'), [[]])
      await expect(savepoint(async () => 'fine')).rejects.toThrow('division by zero')
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(await bodies()).toEqual([])
    await pool.end()
  })

  test('a statement is planned with its values where it says so, also after a part that was taken back', async () => {
    const { pool, asked, transact, read } = await openRawTransactions()
    const [generic, custom] = [asked('select $1::int as one'), asked('select $1::int as two', 'custom')]
    await transact(async ({ query, savepoint }) => {
      await query(generic, [1])
      await savepoint(async () => {
        await query(custom, [2])
        throw new Error('taken back')
      }).catch(() => undefined)
      await query(custom, [2])
      await query(generic, [1])
    })
    await read(async ({ query }) => query(generic, [1]))
    const { rows } = await pool.query(
      'select statement, generic_plans::int, custom_plans::int from pg_prepared_statements order by statement',
    )
    expect(rows).toEqual([
      { statement: 'select $1::int as one', generic_plans: 3, custom_plans: 0 },
      { statement: 'select $1::int as two', generic_plans: 0, custom_plans: 2 },
    ])
    await pool.end()
  })
})
