import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { RetryLaterError } from '@sales-crm/core/ports'
import { type Connection, compileStatement } from '@sales-crm/sql'
import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { postgresDialect } from '../../src/dialect/postgres-dialect.ts'
import { PostgresDatabase } from '../../src/postgres-database.ts'
import { LongReads } from '../../src/transactions/long-reads.ts'
import { freshDatabase } from '../fresh-database.ts'

const server = inject('postgresUrl')

function sleep(connection: Connection, seconds: number) {
  const statement = compileStatement(sql`select pg_sleep(${sql.lit(seconds)})`, postgresDialect.compiler)
  return connection.query(statement, [])
}

describe.runIf(server !== null)('long reads', () => {
  test.each([
    [undefined, 2],
    // On the shared connection, and then on one of the pool.
    ['statement', 3],
  ] as const)(
    'a read whose statement takes long runs again as a long read (isolation: %s)',
    async (isolation, expectedRuns) => {
      const database = new PostgresDatabase({ url: await freshDatabase(server!) })
      onTestFinished(() => database.close())
      let runs = 0
      const read = (seconds: number) =>
        database.read(async (connection) => {
          runs += 1
          await sleep(connection, seconds)
          return 'done'
        }, isolation && { isolation })
      expect([await read(0), runs]).toEqual(['done', 1])
      expect([await read(0.6), runs]).toEqual(['done', 1 + expectedRuns])
    },
  )

  test('a read keeps no rows of its earlier statements', async () => {
    const database = new PostgresDatabase({ url: await freshDatabase(server!) })
    onTestFinished(() => database.close())
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    await database.read(
      async (connection) => {
        const rows = new WeakRef(await sleep(connection, 0))
        await sleep(connection, 0)
        await new Promise(setImmediate)
        collectGarbage()
        expect(rows.deref()).toBeUndefined()
      },
      { workload: 'report' },
    )
  })

  test('a long read whose statement takes too long is refused, and its connection serves the next', async () => {
    const reads = new LongReads({ url: await freshDatabase(server!) }, 50)
    onTestFinished(() => reads.close())
    const refusal = reads.run((connection) => sleep(connection, 5))
    await expect(refusal).rejects.toThrow(RetryLaterError)
    await expect(refusal).rejects.toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 5 })
    await reads.run((connection) => sleep(connection, 0))
  })

  test('a long read is canceled when its caller has gone', async () => {
    const url = await freshDatabase(server!)
    const reads = new LongReads({ url })
    const observer = new Client({ connectionString: url })
    await observer.connect()
    onTestFinished(async () => {
      await Promise.all([reads.close(), observer.end()])
    })
    const countSleepers = async () => {
      const { rows } = await observer.query(
        "select 1 from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%' and state = 'active'",
      )
      return rows.length
    }
    const caller = new AbortController()
    const read = reads.run((connection) => sleep(connection, 9), { workspaceId: 'a', signal: caller.signal })
    await vi.waitFor(async () => expect(await countSleepers()).toBe(1))
    caller.abort(new Error('gone'))
    await expect(read).rejects.toThrow('gone')
    expect(await countSleepers()).toBe(0)
    await expect(reads.run(async () => 'begun', { workspaceId: 'a', signal: caller.signal })).rejects.toThrow(
      'gone',
    )
  })

  test('a workspace leaves a connection to others', async () => {
    const reads = new LongReads({ url: await freshDatabase(server!) })
    onTestFinished(() => reads.close())
    const end = Promise.withResolvers<void>()
    const waiting = [1, 2, 3].map(() => reads.run(() => end.promise, { workspaceId: 'a' }))
    expect(await reads.run(async () => 'served', { workspaceId: 'b' })).toBe('served')
    end.resolve()
    await Promise.all(waiting)
  })
})
