import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { type PostgresStorage, postgresStorage } from '../src/index.ts'
import type { PoolOptions } from '../src/pool-options.ts'
import { freshDatabase } from './fresh-database.ts'
import { startProxy } from './tcp-proxy.ts'

const server = inject('postgresUrl')
const openStorages: PostgresStorage[] = []
afterEach(async () => {
  await Promise.all(openStorages.splice(0).map((storage) => storage.close()))
})

async function openStorage(options: PoolOptions): Promise<PostgresStorage> {
  const storage = await postgresStorage(options)
  openStorages.push(storage)
  return storage
}

function notify({ transact }: PostgresStorage): Promise<void> {
  return transact(async (tx) => tx.notify())
}

/** Counts the calls, and waits for more of them. */
function createCallCounter({ onNotify }: PostgresStorage) {
  let calls = 0
  let heard = Promise.withResolvers<void>()
  onNotify(() => {
    calls += 1
    heard.resolve()
    heard = Promise.withResolvers<void>()
  })
  return {
    calls: () => calls,
    async reaches(count: number): Promise<void> {
      while (calls < count) await heard.promise
    },
  }
}

/** What the database says of connections that listen. */
async function countListeners(
  url: string,
  what: 'pid' | 'pg_terminate_backend(pid)' = 'pid',
): Promise<number> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const { rowCount } = await admin.query(
    `select ${what} from pg_stat_activity where query like 'listen %' and datname = current_database()`,
  )
  await admin.end()
  return rowCount ?? 0
}

describe.runIf(server !== null)('waking between processes', () => {
  test('a commit in one process wakes those who listen in another, and its own once', async () => {
    const url = await freshDatabase(server!)
    const [one, other] = [await openStorage({ url }), await openStorage({ url })]
    const [mine, theirs] = [createCallCounter(one), createCallCounter(other)]
    // Who begins to listen is called, for what was told before.
    await Promise.all([mine.reaches(1), theirs.reaches(1)])
    await notify(one)
    expect(mine.calls()).toBe(2)
    await theirs.reaches(2)
    await notify(other)
    await mine.reaches(3)
    // Time enough for a call too many.
    expect(await countListeners(url)).toBe(2)
    expect([mine.calls(), theirs.calls()]).toEqual([3, 3])
  })

  test('who never hears that it listens, of a server that has stopped answering, begins anew', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const wire = await startProxy(await freshDatabase(server!))
    const storage = await openStorage({ url: wire.url })
    const hushed = wire.muteAt('listen ')
    const mine = createCallCounter(storage)
    await hushed
    expect(mine.calls()).toBe(0)
    vi.advanceTimersByTime(20_000)
    await vi.waitFor(() => expect(mine.calls()).toBe(1))
    await storage.close()
    await wire.disconnect()
  })

  test('nobody is told of a transaction that throws', async () => {
    const url = await freshDatabase(server!)
    const [one, other] = [await openStorage({ url }), await openStorage({ url })]
    const theirs = createCallCounter(other)
    await theirs.reaches(1)
    const failing = one.transact(async (tx) => {
      tx.notify()
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    await notify(one)
    await theirs.reaches(2)
    await notify(one)
    await theirs.reaches(3)
    expect(theirs.calls()).toBe(3)
  })

  test('two hundred commits at once are told in a few', async () => {
    const url = await freshDatabase(server!)
    const storage = await openStorage({ url })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    let told = 0
    client.on('notification', () => {
      told += 1
    })
    await client.query('listen crm_deliveries')
    await Promise.all(Array.from({ length: 200 }, () => notify(storage)))
    // Behind whatever still waits for a connection.
    await notify(storage)
    await storage.close()
    // What was told before a query comes before its answer.
    await client.query('select 1')
    expect(told).toBeGreaterThan(0)
    expect(told).toBeLessThan(100)
    await client.end()
  })

  test('a connection that is killed is made anew, and what was told meanwhile is made up for by a call', async () => {
    const url = await freshDatabase(server!)
    const [one, other] = [await openStorage({ url }), await openStorage({ url })]
    const theirs = createCallCounter(other)
    await theirs.reaches(1)
    expect(await countListeners(url, 'pg_terminate_backend(pid)')).toBe(1)
    await notify(one)
    await theirs.reaches(2)
    await notify(one)
    await theirs.reaches(3)
    expect(await countListeners(url)).toBe(1)
  })

  test('a database that goes away is listened to again when it is back', async () => {
    const url = await freshDatabase(server!)
    const wire = await startProxy(url)
    const [one, other] = [await openStorage({ url }), await openStorage({ url: wire.url })]
    const theirs = createCallCounter(other)
    await theirs.reaches(1)
    await wire.disconnect()
    await notify(one)
    await expect(other.check()).rejects.toThrow()
    await wire.reconnect()
    await theirs.reaches(2)
    await notify(one)
    await theirs.reaches(3)
    await other.close()
    await wire.disconnect()
  })

  test('closing ends the listening, also before it has begun and while the database is away', async () => {
    const url = await freshDatabase(server!)
    const wire = await startProxy(url)
    const [heard, hasty, cut] = [
      await openStorage({ url }),
      await openStorage({ url }),
      await openStorage({ url: wire.url }),
    ]
    const [first, last] = [createCallCounter(heard), createCallCounter(cut)]
    createCallCounter(hasty)
    await hasty.close()
    await Promise.all([first.reaches(1), last.reaches(1)])
    await wire.disconnect()
    await Promise.all([heard.close(), cut.close()])
    heard.onNotify(() => undefined)
    expect(await countListeners(url)).toBe(0)
  })

  test('behind a pooler nothing is told and nobody listens, and the own process is woken', async () => {
    const url = await freshDatabase(server!)
    const [pooled, direct] = [await openStorage({ url, prepared: false }), await openStorage({ url })]
    const [mine, theirs] = [createCallCounter(pooled), createCallCounter(direct)]
    await theirs.reaches(1)
    await notify(pooled)
    expect(mine.calls()).toBe(1)
    expect(await countListeners(url)).toBe(1)
    await notify(direct)
    expect([mine.calls(), theirs.calls()]).toEqual([1, 2])
  })

  test.each(['kept', 'lost'])(
    'a connection that listens keeps no process alive when it is %s',
    async (becomes) => {
      const url = await freshDatabase(server!)
      const script = new URL('./listen-and-exit.ts', import.meta.url).pathname
      const child = spawn(process.execPath, [script, url, becomes], { stdio: ['ignore', 'pipe', 'inherit'] })
      const said = text(child.stdout)
      expect(await once(child, 'exit')).toEqual([0, null])
      expect(await said).toBe('heard')
    },
  )
})
