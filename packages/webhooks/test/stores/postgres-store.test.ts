import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../../postgres/test/fresh-database.ts'
import { postgresStore } from '../../src/index.ts'
import { describeStore } from './describe-store.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string | null
  }
}

const server = inject('postgresUrl')

function openPool(url: string, max = 5): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max })
  pool.on('error', () => {})
  onTestFinished(() => pool.end())
  return pool
}

async function openDatabase() {
  const url = await freshDatabase(server!)
  return { url, pool: openPool(url) }
}

const countRows = async (pool: pg.Pool, table: string): Promise<number> =>
  (await pool.query(`select count(*)::int as count from ${table}`)).rows[0].count

describe.skipIf(server === null)('with PostgreSQL', () => {
  describeStore('PostgreSQL', async () => postgresStore((await openDatabase()).pool))

  test('what a handler writes commits with the id, and is rolled back with it', async () => {
    const { pool } = await openDatabase()
    await pool.query('create table people (name text)')
    const store = postgresStore(pool)
    await store.runOnce('committed', async (client) => {
      await client.query('insert into people values ($1)', ['Ana'])
      expect(await countRows(pool, 'people')).toBe(0)
    })
    await expect(
      store.runOnce('failed', async (client) => {
        await client.query('insert into people values ($1)', ['Ben'])
        throw new Error('No disk.')
      }),
    ).rejects.toThrow('No disk.')
    expect([await countRows(pool, 'people'), await countRows(pool, 'processed_webhook_ids')]).toEqual([1, 1])
  })

  test('an error of a statement that the handler caught fails the event', async () => {
    const { pool } = await openDatabase()
    const store = postgresStore(pool)
    const run = store.runOnce('caught', async (client) => {
      await client.query('select 1 / 0').catch(() => {})
    })
    await expect(run).rejects.toThrow(
      'The transaction was rolled back: the handler caught the error of a failed statement.',
    )
    expect(await store.runOnce('caught', async () => {})).toBe(true)
  })

  test('twenty processes create the table and process an id once', async () => {
    const { url } = await openDatabase()
    let runs = 0
    const results = await Promise.all(
      Array.from({ length: 20 }, () =>
        postgresStore(openPool(url, 1), { table: 'order' }).runOnce('same', async () => {
          runs += 1
        }),
      ),
    )
    expect([runs, results.filter(Boolean)]).toEqual([1, [true]])
  })

  test('a lost connection fails the event without ending the process, and the pool recovers', async () => {
    const { pool } = await openDatabase()
    const store = postgresStore(pool)
    const run = store.runOnce('lost', async (client) => {
      const { rows } = await client.query('select pg_backend_pid() as pid')
      const ended = new Promise((resolve) => client.once('end', resolve))
      await pool.query('select pg_terminate_backend($1)', [rows[0].pid])
      await ended
    })
    await expect(run).rejects.toThrow()
    expect(await store.runOnce('lost', async () => {})).toBe(true)
    expect(await countRows(pool, 'processed_webhook_ids')).toBe(1)
  })

  test('every connection is returned to the pool', async () => {
    const { url } = await openDatabase()
    const pool = openPool(url, 1)
    const store = postgresStore(pool)
    const results = await Promise.allSettled([
      store.runOnce('a', async () => {}),
      store.runOnce('a', async () => {}),
      store.runOnce('b', () => Promise.reject(new Error('No disk.'))),
      store.runOnce('c', async (client) => void (await client.query('no SQL'))),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
    expect([pool.totalCount, pool.idleCount, pool.waitingCount]).toEqual([1, 1, 0])
  })

  test('a role that may not create tables can use an existing one', async () => {
    const { url, pool } = await openDatabase()
    await postgresStore(pool).runOnce('by-owner', async () => {})
    const role = `receiver_${process.pid}`
    await pool.query(
      `create role ${role}; grant select, insert, update, delete on processed_webhook_ids to ${role}`,
    )
    onTestFinished(async () => {
      const admin = new pg.Client({ connectionString: url })
      await admin.connect()
      await admin.query(`drop owned by ${role}; drop role ${role}`)
      await admin.end()
    })
    const limited = new pg.Pool({ connectionString: url, options: `-c role=${role}` })
    onTestFinished(() => limited.end())
    expect(await postgresStore(limited).runOnce('by-owner', async () => {})).toBe(false)
    const other = postgresStore(limited, { table: 'other' })
    await expect(other.runOnce('a', async () => {})).rejects.toThrow('permission denied')
    await pool.query(`grant create on schema public to ${role}`)
    expect(await other.runOnce('a', async () => {})).toBe(true)
  })

  test('a connection whose query timed out is not returned to the pool', async () => {
    const pool = new pg.Pool({ connectionString: await freshDatabase(server!), query_timeout: 500 })
    onTestFinished(() => pool.end())
    const run = postgresStore(pool).runOnce('slow', async (client) => {
      await client.query('select pg_sleep(60)')
    })
    await expect(run).rejects.toThrow('timeout')
    expect([pool.totalCount, pool.idleCount]).toEqual([0, 0])
  })

  test('ids past the retention are deleted, and those within it stay', async () => {
    const { pool } = await openDatabase()
    const store = postgresStore(pool, { retentionDays: 40 })
    await expect(store.runOnce('none', () => Promise.reject(new Error('Only the table.')))).rejects.toThrow()
    await pool.query(
      "insert into processed_webhook_ids select 'old-' || nth, now() - interval '41 days' " +
        'from generate_series(1, 1001) nth',
    )
    await pool.query("insert into processed_webhook_ids values ('recent', now() - interval '39 days')")
    await store.runOnce('first', async () => {})
    expect(await countRows(pool, 'processed_webhook_ids')).toBe(3)
    for (let nth = 1; nth < 101; nth += 1) await store.runOnce(`next-${nth}`, async () => {})
    expect(await countRows(pool, 'processed_webhook_ids')).toBe(102)
    expect(await store.runOnce('recent', async () => {})).toBe(false)
  })

  test('a failing purge does not fail the event', async () => {
    const { pool } = await openDatabase()
    const store = postgresStore(pool)
    await expect(store.runOnce('none', () => Promise.reject(new Error('Only the table.')))).rejects.toThrow()
    await pool.query(`
      create function refuse() returns trigger language plpgsql
        as $$ begin raise exception 'No disk.'; end $$;
      create trigger refuse before delete on processed_webhook_ids for each row execute function refuse();
      insert into processed_webhook_ids values ('old', '2020-01-01')`)
    expect(await store.runOnce('first', async () => {})).toBe(true)
    expect(await countRows(pool, 'processed_webhook_ids')).toBe(2)
  })
})
