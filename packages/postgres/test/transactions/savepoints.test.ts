import { randomUUID } from 'node:crypto'
import type { Transaction } from '@sales-crm/core/ports'
import { compileStatement } from '@sales-crm/sql'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { postgresDialect } from '../../src/dialect/postgres-dialect.ts'
import { postgresStorage } from '../../src/index.ts'
import { PooledTransactions } from '../../src/transactions/pooled-transactions.ts'
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

/** Opens transactions that run raw SQL. */
async function openRawTransactions() {
  const url = await freshDatabase(server!)
  const pool = createPool({ url, pool: 1 })
  await pool.query('create table notes (body text unique)')
  const rawStatement = (text: string, plan: 'generic' | 'custom' = 'generic') =>
    compileStatement(sql.raw(text), postgresDialect.compiler, { plan })
  const bodies = async () =>
    (await pool.query<{ body: string }>('select body from notes order by body')).rows.map(({ body }) => body)
  const transactions = new PooledTransactions(pool, {})
  const transact: typeof transactions.transact = (work) => transactions.transact(work)
  return { pool, rawStatement, bodies, transact }
}

describe.runIf(server !== null)('savepoints', () => {
  test('two deadlocked transactions both commit in the end, even if each catches the failure', async () => {
    const { storage, types, keys } = await openStorage()
    const [a, b] = [taskType('a'), taskType('b')]
    await storage.transact((tx) => types(tx).insertMany([a, b]))
    let openBarrier = () => {}
    const barrier = new Promise<void>((resolve) => {
      openBarrier = resolve
    })
    let [runs, lockCount] = [0, 0]
    const lockBoth = (first: typeof a, second: typeof a) =>
      storage.transact(async (tx) => {
        runs += 1
        const firstLocked = (await types(tx).getForUpdate(first.id))!
        lockCount += 1
        if (lockCount === 2) openBarrier()
        await barrier
        await tx
          .savepoint(async () => {
            const secondLocked = (await types(tx).getForUpdate(second.id))!
            await types(tx).update({ ...secondLocked, key: `${second.key}+` })
          })
          .catch(() => undefined)
        await types(tx).update({ ...firstLocked, title: `${first.key} first` })
      })
    await Promise.all([lockBoth(a, b), lockBoth(b, a)])
    expect(runs).toBe(3)
    const both = await storage.read((tx) => types(tx).find([]))
    expect(both.map(({ title }) => title).sort()).toEqual(['a first', 'b first'])
    expect(await keys()).toEqual(['a+', 'b+'])
    await storage.close()
  })

  test('a connection killed in a savepoint fails the transaction, even if work continues', async () => {
    const { url, storage, types, keys } = await openStorage()
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    const interrupted = storage.transact(async (tx) => {
      await types(tx).insert(taskType('before'))
      const savepoint = tx.savepoint(async () => {
        await types(tx).find([])
        await admin.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
        )
        await types(tx).find([])
      })
      await savepoint.catch(() => undefined)
      return 'continued'
    })
    await expect(interrupted).rejects.toThrow()
    expect(await keys()).toEqual([])
    await admin.end()
    await storage.close()
  })

  test.each([
    ['53100', 'could not extend file'],
    ['40001', 'could not serialize access'],
    ['XX000', 'unexpected'],
  ])('an error with SQLSTATE %s in a savepoint fails the whole transaction', async (code, message) => {
    const { pool, rawStatement, bodies, transact } = await openRawTransactions()
    const failing = transact(async (connection) => {
      await connection.executeMany(rawStatement("insert into notes values ('before')"), [[]])
      const attempt = connection.savepoint(() =>
        connection.executeMany(
          rawStatement(`do $$ begin raise '${message}' using errcode = '${code}'; end $$`),
          [[]],
        ),
      )
      await attempt.catch(() => undefined)
      return 'continued'
    })
    await expect(failing).rejects.toThrow(message)
    expect(await bodies()).toEqual([])
    await pool.end()
  })

  test('a failed savepoint is rolled back alone and throws its first failure', async () => {
    const { pool, rawStatement, bodies, transact } = await openRawTransactions()
    const add = (body: string) => rawStatement(`insert into notes values ('${body}')`)
    const firstFailure = await transact(async (connection) => {
      await connection.executeMany(add('before'), [[]])
      const attempt = connection.savepoint(async () => {
        await connection.executeMany(add('in savepoint'), [[]])
        await connection.executeMany(add('before'), [[]])
        await connection.query(rawStatement('select 1/0'), []).catch(() => undefined)
      })
      const failure = await attempt.catch((error: unknown) => error)
      await connection.executeMany(add('after'), [[]])
      return failure
    })
    expect(firstFailure).toMatchObject({ code: '23505' })
    expect(await bodies()).toEqual(['after', 'before'])
    await pool.end()
  })

  test('a savepoint after a failed write throws that failure, as does the transaction', async () => {
    const { pool, rawStatement, bodies, transact } = await openRawTransactions()
    const failing = transact(async (connection) => {
      await connection.executeMany(rawStatement('select 1/0'), [[]])
      await expect(connection.savepoint(async () => 'result')).rejects.toThrow('division by zero')
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(await bodies()).toEqual([])
    await pool.end()
  })

  test('a statement that is planned with its values is not prepared', async () => {
    const { pool, rawStatement, transact } = await openRawTransactions()
    const [generic, custom] = [
      rawStatement('select $1::int as one'),
      rawStatement('select $1::int as two', 'custom'),
    ]
    await transact(async (connection) => {
      await connection.query(generic, [1])
      await connection.query(custom, [2])
    })
    const { rows } = await pool.query('select statement from pg_prepared_statements')
    expect(rows).toEqual([{ statement: 'select $1::int as one' }])
    await pool.end()
  })
})
