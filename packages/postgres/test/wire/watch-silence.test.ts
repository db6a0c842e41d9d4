import { Socket } from 'node:net'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { postgresStorage } from '../../src/index.ts'
import { clientConfig, migrationPool } from '../../src/wire/pool.ts'
import { watchSilence } from '../../src/wire/watch-silence.ts'
import { freshDatabase } from '../fresh-database.ts'
import { startProxy } from '../tcp-proxy.ts'

const server = inject('postgresUrl')

/** Waits, on the real clock, until a query is on its way. */
const waitUntilSent = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

async function outcomeOf(query: Promise<unknown>): Promise<string> {
  return query.then(
    () => 'answered',
    (error: Error) => error.message,
  )
}

describe.runIf(server !== null)('a server that stops answering', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('fails pending queries after twenty seconds, and later ones use new connections', async () => {
    const proxy = await startProxy(await freshDatabase(server!))
    const storage = await postgresStorage({ url: proxy.url })
    const queries = [
      () => storage.read((tx) => tx.workspaces.find([])),
      () => storage.transact((tx) => tx.workspaces.find([])),
      () => storage.read((tx) => tx.workspaces.find([]), { isolation: 'statement' }),
      () => storage.gate.count({ key: 'k', limit: 1, seconds: 60 }),
      () => storage.version(),
    ]
    await Promise.all(queries.map((query) => query()))
    proxy.mute()
    const outcomes = queries.map((query) => outcomeOf(query()))
    let settled = 0
    for (const outcome of outcomes) void outcome.then(() => (settled += 1))
    await waitUntilSent()
    vi.advanceTimersByTime(19_999)
    await waitUntilSent()
    expect(settled).toBe(0)
    vi.advanceTimersByTime(1)
    const message = 'PostgreSQL has not answered for 20 s.'
    expect(await Promise.all(outcomes)).toEqual(queries.map(() => message))
    expect(await Promise.all(queries.map((query) => outcomeOf(query())))).toEqual(
      queries.map(() => 'answered'),
    )
    await storage.close()
    await proxy.disconnect()
  })

  test('differs from an idle one and from one that answers late', async () => {
    const proxy = await startProxy(await freshDatabase(server!))
    const client = new pg.Client({ connectionString: proxy.url, pipeline: true } as pg.ClientConfig)
    client.on('error', () => {})
    await client.connect()
    watchSilence(client, 1000, (milliseconds, stream) =>
      stream.destroy(new Error(`PostgreSQL has not answered for ${milliseconds / 1000} s.`)),
    )
    vi.advanceTimersByTime(5000)
    await client.query('select 1')
    vi.advanceTimersByTime(5000)
    await client.query('select 1')
    // The first of two queries is answered just in time; the timeout of the second starts then.
    const [first, second] = [client.query('select 1'), client.query('select pg_sleep(0.5)')]
    vi.advanceTimersByTime(999)
    await first
    vi.advanceTimersByTime(999)
    await second
    vi.advanceTimersByTime(999)
    proxy.mute()
    const unanswered = outcomeOf(client.query('select 1'))
    await waitUntilSent()
    vi.advanceTimersByTime(999)
    await waitUntilSent()
    expect(await Promise.race([unanswered, 'pending'])).toBe('pending')
    vi.advanceTimersByTime(1)
    expect(await unanswered).toBe('PostgreSQL has not answered for 1 s.')
    await proxy.disconnect()
  })

  test('is noticed by the stream of the connection, a private field that is a socket', async () => {
    const client = new pg.Client(clientConfig({ url: server! }))
    await client.connect()
    const { connection } = client as unknown as { readonly connection: { readonly stream: unknown } }
    expect(connection.stream).toBeInstanceOf(Socket)
    await client.end()
  })

  test('has no timeout during a migration', async () => {
    const pool = migrationPool({ url: await freshDatabase(server!) })
    await pool.query('select 1')
    const slow = outcomeOf(pool.query('select pg_sleep(0.3)'))
    await waitUntilSent()
    vi.advanceTimersByTime(3_600_000)
    expect(await slow).toBe('answered')
    await pool.end()
  })
})
