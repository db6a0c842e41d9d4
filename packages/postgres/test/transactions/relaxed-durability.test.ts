import { type Connection, compileStatement } from '@sales-crm/sql'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { postgresDialect } from '../../src/dialect/postgres-dialect.ts'
import { PooledTransactions } from '../../src/transactions/pooled-transactions.ts'
import { createPool } from '../../src/wire/pool.ts'
import { freshDatabase } from '../fresh-database.ts'

const server = inject('postgresUrl')
const SHOW = compileStatement(sql`show synchronous_commit`, postgresDialect.compiler)

async function readSynchronousCommit(connection: Connection): Promise<unknown> {
  const [row] = await connection.query(SHOW, [])
  return row?.['synchronous_commit']
}

function openTransactions(pool: Pool, prepared: boolean) {
  const transactions = new PooledTransactions(pool, { prepared })
  const transact = <T>(work: (connection: Connection) => Promise<T>) => transactions.transact(work)
  const transactRelaxed: typeof transact = (work) => transactions.transact(work, { durability: 'relaxed' })
  return { transact, transactRelaxed }
}

describe.runIf(server !== null)('a transaction with relaxed durability', () => {
  test.each([true, false])(
    'does not wait for the disk; later durable ones on the same connection do (prepared: %s)',
    async (prepared) => {
      const pool = createPool({ url: await freshDatabase(server!), pool: 1, prepared })
      // The test server runs with `synchronous_commit` off.
      await pool.query('set synchronous_commit to on')
      const { transact, transactRelaxed } = openTransactions(pool, prepared)
      const levels = []
      for (const begin of [transact, transactRelaxed, transactRelaxed, transact])
        levels.push(await begin(readSynchronousCommit))
      const failing = transactRelaxed((connection) =>
        readSynchronousCommit(connection).then((level) => Promise.reject(level)),
      )
      levels.push(await failing.catch((level: unknown) => level), await transact(readSynchronousCommit))
      expect(levels).toEqual(['on', 'off', 'off', 'on', 'off', 'on'])
      await pool.end()
    },
  )

  test('does not wait for the disk within and after a savepoint', async () => {
    const pool = createPool({ url: await freshDatabase(server!), pool: 1 })
    await pool.query('set synchronous_commit to on')
    const levels = await new PooledTransactions(pool, {}).transact(
      async (connection) => {
        const failing = connection.savepoint(() =>
          readSynchronousCommit(connection).then((level) => Promise.reject(level)),
        )
        return [
          await failing.catch((level: unknown) => level),
          await connection.savepoint(() => readSynchronousCommit(connection)),
          await readSynchronousCommit(connection),
        ]
      },
      { durability: 'relaxed' },
    )
    expect(levels).toEqual(['off', 'off', 'off'])
    await pool.end()
  })

  test.each([true, false])(
    'has a lock timeout of 500 ms, and later durable ones the default (prepared: %s)',
    async (prepared) => {
      const pool = createPool({ url: await freshDatabase(server!), pool: 1, prepared })
      const timeout = compileStatement(sql`show lock_timeout`, postgresDialect.compiler)
      const readTimeout = async (connection: Connection) =>
        (await connection.query(timeout, []))[0]?.['lock_timeout']
      const { transact, transactRelaxed } = openTransactions(pool, prepared)
      expect([await transactRelaxed(readTimeout), await transact(readTimeout)]).toEqual(['500ms', '10s'])
      await pool.end()
    },
  )
})
