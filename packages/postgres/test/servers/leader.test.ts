import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { postgresStorage } from '../../src/index.ts'
import { DatabaseClient } from '../../src/servers/database-client.ts'
import { Leader } from '../../src/servers/leader.ts'
import { clientConfig } from '../../src/wire/pool.ts'
import { startPostgres, type TestPostgres } from '../embedded-postgres.ts'
import { startStandby } from '../standby.ts'

const TASK_TYPE = {
  id: randomUUID(),
  title: 'Call',
  color: '#6b7280',
  key: 'call',
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
}

const servers: TestPostgres[] = []

/** The URL names the standby first. */
async function startPair() {
  const primary = (await startPostgres({ durable: true }))!
  servers.push(primary)
  await (await postgresStorage({ url: primary.url })).close()
  const standby = await startStandby(primary)
  servers.push(standby)
  const hosts = [standby.url, primary.url].map((url) => new URL(url).host)
  return { primary, standby, url: `postgres://postgres@${hosts.join()}/postgres` }
}

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client.query(text).finally(() => client.end())
}

afterAll(() => Promise.all(servers.splice(0).map((server) => server.stop())))

describe.runIf(inject('postgresUrl') !== null)('of several servers', () => {
  let pair: Awaited<ReturnType<typeof startPair>>
  beforeAll(async () => {
    pair = await startPair()
  }, 60_000)

  test('a standby that is the only one in the URL is refused', async () => {
    await expect(postgresStorage({ url: pair.standby.url })).rejects.toMatchObject({
      code: 'NO_LEADER',
      message: 'the server is a standby',
    })
  })

  test('the standbys and their state are reported', async () => {
    const { primary, url } = pair
    const storage = await postgresStorage({ url })
    const leader = new URL(primary.url).host
    const standby = { name: expect.stringMatching(/^crm-test-pg-/), syncState: 'async', lagBytes: 0 }
    await vi.waitFor(async () =>
      expect(await storage.replication()).toEqual({ leader, isSynchronous: false, standbys: [standby] }),
    )
    await query(primary.url, "alter system set synchronous_standby_names = '*'")
    await query(primary.url, 'select pg_reload_conf()')
    await vi.waitFor(async () =>
      expect(await storage.replication()).toMatchObject({
        isSynchronous: true,
        standbys: [{ syncState: 'sync' }],
      }),
    )
    await storage.close()
  })

  test('a commit whose wait for a standby is canceled is no success', async () => {
    const { primary, url } = pair
    await query(primary.url, "alter system set synchronous_standby_names = 'nobody'")
    await query(primary.url, 'select pg_reload_conf()')
    const storage = await postgresStorage({ url })
    const write = storage.transact((tx) => tx.workspace(randomUUID()).task_types.insert(TASK_TYPE))
    const refusal = expect(write).rejects.toThrow('not confirmed by a standby')
    await vi.waitFor(async () => {
      const canceled = await query(
        primary.url,
        "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
      )
      expect(canceled.rowCount).toBe(1)
    }, 5000)
    await refusal
    await query(primary.url, 'alter system reset synchronous_standby_names')
    await query(primary.url, 'select pg_reload_conf()')
    await storage.close()
  })

  test('a frozen leader is left by all clients when another is found, and not connected to again', async () => {
    const { primary, standby, url } = pair
    const leader = new Leader(url)
    const idle = new DatabaseClient(clientConfig({ url, leader }))
    idle.on('error', () => {})
    await idle.connect()
    const isEnded = new Promise((resolve) => idle.once('end', resolve))
    const waiting = new DatabaseClient(clientConfig({ url, leader }))
    await waiting.connect()
    primary.signal('SIGSTOP')
    const failure = expect(waiting.query('select 1')).rejects.toThrow('no longer takes writes')
    await query(standby.url, 'select pg_promote()')
    await Promise.all([failure, isEnded])
    primary.signal('SIGCONT')
    const states = await query(primary.url, 'select pg_is_in_recovery() as is_standby')
    expect(states.rows).toEqual([{ is_standby: false }])
    for (let time = 0; time < 10; time += 1) {
      const client = new DatabaseClient(clientConfig({ url, leader }))
      await client.connect()
      expect(client.port).toBe(Number(new URL(standby.url).port))
      await client.end()
    }
  })
})

describe.runIf(inject('postgresUrl') !== null)('after the leader has crashed', () => {
  test('each connection of a storage finds the promoted standby', async () => {
    const { primary, standby, url } = await startPair()
    const storage = await postgresStorage({ url })
    const listener = vi.fn()
    storage.onNotify(listener)
    const count = () => storage.gate.count({ key: 'k', limit: 9, seconds: 60 })
    const addTaskType = () =>
      storage.transact((tx) =>
        tx.workspace(randomUUID()).task_types.insert({ ...TASK_TYPE, id: randomUUID() }),
      )
    expect(await count()).toMatchObject({ used: 1 })
    expect(await storage.read((tx) => tx.workspaces.find([]))).toEqual([])
    await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(1))

    await primary.down('crash')
    await expect(count()).rejects.toThrow()
    await vi.waitFor(() => expect(count()).rejects.toMatchObject({ code: 'NO_LEADER' }))
    await query(standby.url, 'select pg_promote()')
    await vi.waitFor(() => storage.check(), 5000)
    expect(await count()).toMatchObject({ used: 1 })
    await addTaskType()
    expect(await storage.read((tx) => tx.workspaces.find([]))).toEqual([])
    // It listens on the new leader, and looks at once for what it may have missed.
    await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(2), 5000)
    await storage.close()
  }, 60_000)
})
