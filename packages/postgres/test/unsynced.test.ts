import { type Connection, statement } from '@sales-crm/sql'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { postgresDialect } from '../src/dialect.ts'
import { makePool } from '../src/pool.ts'
import { transactionsOver } from '../src/transactions.ts'
import { freshDatabase } from './fresh-database.ts'

const server = inject('postgresUrl')
const SHOW = statement({ compile: () => sql`show synchronous_commit`.compile(postgresDialect.compiler) })

async function level({ rows }: Connection): Promise<unknown> {
  const [row] = await rows(SHOW, [])
  return row?.['synchronous_commit']
}

describe.runIf(server !== null)('a transaction that need not be synced', () => {
  test.each([true, false])('does not wait for the disk, and those after it on its connection do (prepared: %s)', async (prepared) => {
    const pool = makePool({ url: await freshDatabase(server!), pool: 1, prepared })
    // Tests have a server that waits for no disk.
    await pool.query('set synchronous_commit to on')
    const { transact, transactUnsynced } = transactionsOver(pool, prepared)
    const levels = []
    for (const begin of [transact, transactUnsynced, transactUnsynced, transact]) levels.push(await begin(level))
    const failing = transactUnsynced((connection) => level(connection).then((found) => Promise.reject(found)))
    levels.push(await failing.catch((found: unknown) => found), await transact(level))
    expect(levels).toEqual(['on', 'off', 'off', 'on', 'off', 'on'])
    await pool.end()
  })

  test('does not wait for the disk in a part that may fail alone, nor after it', async () => {
    const pool = makePool({ url: await freshDatabase(server!), pool: 1 })
    await pool.query('set synchronous_commit to on')
    const levels = await transactionsOver(pool, true).transactUnsynced(async (connection) => {
      const failing = connection.attempt(() => level(connection).then((found) => Promise.reject(found)))
      return [await failing.catch((found: unknown) => found), await connection.attempt(() => level(connection)), await level(connection)]
    })
    expect(levels).toEqual(['off', 'off', 'off'])
    await pool.end()
  })

  test.each([true, false])(
    'waits half a second at most for what somebody holds, and those after it longer (prepared: %s)',
    async (prepared) => {
      const pool = makePool({ url: await freshDatabase(server!), pool: 1, prepared })
      const timeout = statement({ compile: () => sql`show lock_timeout`.compile(postgresDialect.compiler) })
      const told = async ({ rows }: Connection) => (await rows(timeout, []))[0]?.['lock_timeout']
      const { transact, transactUnsynced } = transactionsOver(pool, prepared)
      expect([await transactUnsynced(told), await transact(told)]).toEqual(['500ms', '10s'])
      await pool.end()
    },
  )
})
