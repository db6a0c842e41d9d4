import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { postgresStorage } from '../../src/index.ts'
import { migrationPool } from '../../src/wire/pool.ts'
import { setSocketTimeout } from '../../src/wire/socket-timeout.ts'
import { freshDatabase } from '../fresh-database.ts'
import { startProxy } from '../tcp-proxy.ts'

const server = inject('postgresUrl')

/** Long enough for a question to be on its way, by the clock that runs. */
const waitUntilSent = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

async function outcomeOf(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'answered',
    (error: Error) => error.message,
  )
}

describe.runIf(server !== null)('a server that has stopped answering', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('fails all that was asked, once it has been silent for twenty seconds, and what is asked next gets new connections', async () => {
    const wire = await startProxy(await freshDatabase(server!))
    const storage = await postgresStorage({ url: wire.url })
    const ways = [
      () => storage.read((tx) => tx.workspaces.find([])),
      () => storage.transact((tx) => tx.workspaces.find([])),
      () => storage.read((tx) => tx.workspaces.find([]), { isolation: 'statement' }),
      () => storage.gate.count({ key: 'k', limit: 1, seconds: 60 }),
      () => storage.version(),
    ]
    await Promise.all(ways.map((ask) => ask()))
    wire.mute()
    const asked = ways.map((ask) => outcomeOf(ask()))
    let settled = 0
    for (const one of asked) void one.then(() => (settled += 1))
    await waitUntilSent()
    vi.advanceTimersByTime(19_999)
    await waitUntilSent()
    expect(settled).toBe(0)
    vi.advanceTimersByTime(1)
    const silent = 'PostgreSQL has not answered for 20 s.'
    expect(await Promise.all(asked)).toEqual(ways.map(() => silent))
    expect(await Promise.all(ways.map((ask) => outcomeOf(ask())))).toEqual(ways.map(() => 'answered'))
    await storage.close()
    await wire.disconnect()
  })

  test('is told from one that was asked nothing, and from one that answers, however late', async () => {
    const wire = await startProxy(await freshDatabase(server!))
    const client = new pg.Client({ connectionString: wire.url, pipeline: true } as pg.ClientConfig)
    client.on('error', () => {})
    await client.connect()
    setSocketTimeout(client, 1000)
    vi.advanceTimersByTime(5000)
    await client.query('select 1')
    vi.advanceTimersByTime(5000)
    await client.query('select 1')
    // Of two, the first is answered a little before its time is up: the second has its own from then on.
    const [first, second] = [client.query('select 1'), client.query('select pg_sleep(0.5)')]
    vi.advanceTimersByTime(999)
    await first
    vi.advanceTimersByTime(999)
    await second
    vi.advanceTimersByTime(999)
    wire.mute()
    const unheard = outcomeOf(client.query('select 1'))
    await waitUntilSent()
    vi.advanceTimersByTime(999)
    await waitUntilSent()
    expect(await Promise.race([unheard, 'still waited for'])).toBe('still waited for')
    vi.advanceTimersByTime(1)
    expect(await unheard).toBe('PostgreSQL has not answered for 1 s.')
    await wire.disconnect()
  })

  test('is waited for as long as a migration takes', async () => {
    const pool = migrationPool({ url: await freshDatabase(server!) })
    await pool.query('select 1')
    const slow = outcomeOf(pool.query('select pg_sleep(0.3)'))
    await waitUntilSent()
    vi.advanceTimersByTime(3_600_000)
    expect(await slow).toBe('answered')
    await pool.end()
  })
})
