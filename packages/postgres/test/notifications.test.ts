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

/** Counts notifications and waits for further ones. */
function createCallCounter({ onNotify }: PostgresStorage) {
  let calls = 0
  let notified = Promise.withResolvers<void>()
  onNotify(() => {
    calls += 1
    notified.resolve()
    notified = Promise.withResolvers<void>()
  })
  return {
    calls: () => calls,
    async waitFor(count: number): Promise<void> {
      while (calls < count) await notified.promise
    },
  }
}

/** Counts the database sessions that listen, or terminates them and counts those. */
async function countListeners(
  url: string,
  expression: 'pid' | 'pg_terminate_backend(pid)' = 'pid',
): Promise<number> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const { rowCount } = await admin.query(
    `select ${expression} from pg_stat_activity where query like 'listen %' and datname = current_database()`,
  )
  await admin.end()
  return rowCount ?? 0
}

describe.runIf(server !== null)('notifications between processes', () => {
  test('a commit in one process notifies listeners in another, and those in its own once', async () => {
    const url = await freshDatabase(server!)
    const [one, other] = [await openStorage({ url }), await openStorage({ url })]
    const [ownCalls, otherCalls] = [createCallCounter(one), createCallCounter(other)]
    // A new listener is called once for earlier notifications.
    await Promise.all([ownCalls.waitFor(1), otherCalls.waitFor(1)])
    await notify(one)
    expect(ownCalls.calls()).toBe(2)
    await otherCalls.waitFor(2)
    await notify(other)
    await ownCalls.waitFor(3)
    // The query takes long enough for a superfluous call to arrive.
    expect(await countListeners(url)).toBe(2)
    expect([ownCalls.calls(), otherCalls.calls()]).toEqual([3, 3])
  })

  test('reconnects if the server stops answering before it confirms LISTEN', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const proxy = await startProxy(await freshDatabase(server!))
    const storage = await openStorage({ url: proxy.url })
    const muted = proxy.muteAt('listen ')
    const ownCalls = createCallCounter(storage)
    await muted
    expect(ownCalls.calls()).toBe(0)
    vi.advanceTimersByTime(20_000)
    await vi.waitFor(() => expect(ownCalls.calls()).toBe(1))
    await storage.close()
    await proxy.disconnect()
  })

  test('reconnects if the connection is lost before it is established', async () => {
    const proxy = await startProxy(await freshDatabase(server!))
    const storage = await openStorage({ url: proxy.url })
    const muted = proxy.muteAt('application_name')
    const ownCalls = createCallCounter(storage)
    await muted
    await proxy.disconnect()
    await proxy.reconnect()
    await ownCalls.waitFor(1)
    await storage.close()
    await proxy.disconnect()
  })

  test('a failed transaction notifies nobody', async () => {
    const url = await freshDatabase(server!)
    const [one, other] = [await openStorage({ url }), await openStorage({ url })]
    const otherCalls = createCallCounter(other)
    await otherCalls.waitFor(1)
    const failing = one.transact(async (tx) => {
      tx.notify()
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await notify(one)
    await otherCalls.waitFor(2)
    await notify(one)
    await otherCalls.waitFor(3)
    expect(otherCalls.calls()).toBe(3)
  })

  test('two hundred concurrent commits send only a few notifications', async () => {
    const url = await freshDatabase(server!)
    const storage = await openStorage({ url })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    let notificationCount = 0
    client.on('notification', () => {
      notificationCount += 1
    })
    await client.query('listen crm_deliveries')
    await Promise.all(Array.from({ length: 200 }, () => notify(storage)))
    // Runs after every write that still waits for a connection.
    await notify(storage)
    await storage.close()
    // A notification sent before the query arrives before its result.
    await client.query('select 1')
    expect(notificationCount).toBeGreaterThan(0)
    expect(notificationCount).toBeLessThan(100)
    await client.end()
  })

  test('reconnects after a killed connection and calls listeners for missed notifications', async () => {
    const url = await freshDatabase(server!)
    const [one, other] = [await openStorage({ url }), await openStorage({ url })]
    const otherCalls = createCallCounter(other)
    await otherCalls.waitFor(1)
    expect(await countListeners(url, 'pg_terminate_backend(pid)')).toBe(1)
    await notify(one)
    await otherCalls.waitFor(2)
    await notify(one)
    await otherCalls.waitFor(3)
    expect(await countListeners(url)).toBe(1)
  })

  test('listens again after the database was unreachable', async () => {
    const url = await freshDatabase(server!)
    const proxy = await startProxy(url)
    const [one, other] = [await openStorage({ url }), await openStorage({ url: proxy.url })]
    const otherCalls = createCallCounter(other)
    await otherCalls.waitFor(1)
    await proxy.disconnect()
    await notify(one)
    await expect(other.check()).rejects.toThrow()
    await proxy.reconnect()
    await otherCalls.waitFor(2)
    await notify(one)
    await otherCalls.waitFor(3)
    await other.close()
    await proxy.disconnect()
  })

  test('closing stops listening, even before its start and without a database', async () => {
    const url = await freshDatabase(server!)
    const proxy = await startProxy(url)
    const [listening, closedEarly, disconnected] = [
      await openStorage({ url }),
      await openStorage({ url }),
      await openStorage({ url: proxy.url }),
    ]
    const [first, last] = [createCallCounter(listening), createCallCounter(disconnected)]
    createCallCounter(closedEarly)
    await closedEarly.close()
    await Promise.all([first.waitFor(1), last.waitFor(1)])
    await proxy.disconnect()
    await Promise.all([listening.close(), disconnected.close()])
    listening.onNotify(() => undefined)
    expect(await countListeners(url)).toBe(0)
  })

  test('behind a pooler, notifications stay within the process', async () => {
    const url = await freshDatabase(server!)
    const [pooled, direct] = [await openStorage({ url, prepared: false }), await openStorage({ url })]
    const [ownCalls, otherCalls] = [createCallCounter(pooled), createCallCounter(direct)]
    await otherCalls.waitFor(1)
    await notify(pooled)
    expect(ownCalls.calls()).toBe(1)
    expect(await countListeners(url)).toBe(1)
    await notify(direct)
    expect([ownCalls.calls(), otherCalls.calls()]).toEqual([1, 2])
  })

  test.each(['open', 'lost'])(
    'a listening connection does not keep the process alive when it is %s',
    async (connectionState) => {
      const url = await freshDatabase(server!)
      const script = new URL('./listen-and-exit.ts', import.meta.url).pathname
      const child = spawn(process.execPath, [script, url, connectionState], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const output = text(child.stdout)
      expect(await once(child, 'exit')).toEqual([0, null])
      expect(await output).toBe('notified')
    },
  )
})
