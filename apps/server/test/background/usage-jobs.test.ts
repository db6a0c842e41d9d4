import { createCrm } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { startUsageEventJob, startUsageSaveJob } from '../../src/background/usage-jobs.ts'
import { describeEachStore, describePersistentStores, testDatabaseUrl } from '../support/stores.ts'
import { openService, openWorkspace } from '../support/test-service.ts'
import { createWebhookEnvironment } from '../support/webhook-environment.ts'
import { addWebhook, createEventReader } from '../support/webhook-fixtures.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'

const postgresUrl = inject('postgresUrl')
const TEN_SECONDS = 10_000
const MINUTE = 60_000
const HOUR = 3_600_000

describe('a request', () => {
  test('that is authorized counts for its app, whatever its status; HEAD counts as GET', async () => {
    const storage = memoryStorage()
    const service = await openService(storage)
    const { call, client_id, id, token, tokenFor, owner } = await openWorkspace(service)
    const readToken = await tokenFor(owner.email, ['tasks:read'])
    const created = (await call('POST', '/v1/people', { full_name: 'Ana' })).json as {
      readonly data: { readonly id: string }
    }
    await call('GET', '/v1/people')
    await service.app.request('/v1/people', { method: 'HEAD', headers: { Authorization: `Bearer ${token}` } })
    await call('POST', '/v1/people', '{')
    await call('POST', '/v1/people', { full_name: 'Ben' }, { token: readToken })
    await call('PATCH', `/v1/people/${created.data.id}`, { score: 5 })
    await call('DELETE', `/v1/people/${created.data.id}`)
    await call('GET', '/v1/people', undefined, { token: 'nonsense' })
    await call('GET', '/v1/nowhere')
    await call('GET', '/healthz')
    await service.crm.usage.save()
    const logs = await storage.read((tx) => tx.usage_logs.find([]))
    expect(logs).toMatchObject([
      { workspace_id: id, client_id, requests: { GET: 2, POST: 3, PATCH: 1, DELETE: 1 } },
    ])
    expect(logs).toHaveLength(1)
  })

  test('above the rate limit does not count', async () => {
    const storage = memoryStorage()
    const service = await openService(storage, { limits: { GET: 2 } })
    const { call } = await openWorkspace(service)
    for (let count = 0; count < 3; count += 1) await call('GET', '/v1/people')
    await service.crm.usage.save()
    expect(await storage.read((tx) => tx.usage_logs.find([]))).toMatchObject([{ requests: { GET: 2 } }])
  })
})

describeEachStore('several processes', (open) => {
  test('add up their counts, and emit one event per app and hour', async () => {
    const storage = await open()
    const { ports, advanceClock } = await openService(storage)
    const workspaceId = ports.newId()
    await addWebhook({ ports }, { id: workspaceId }, { events: ['usage_logs.created'] })
    const processes = Array.from({ length: 10 }, () => createCrm(ports).usage)
    const apps = Array.from({ length: 30 }, ports.newId)
    for (let round = 0; round < 3; round += 1) {
      for (const [index, usage] of processes.entries()) {
        for (const clientId of index % 2 === 0 ? apps : apps.toReversed())
          usage.count({ workspaceId, clientId }, 'GET')
      }
      await Promise.all(processes.map((usage) => usage.save()))
    }
    const logs = () => storage.read((tx) => tx.usage_logs.find([{ field: 'workspace_id', is: workspaceId }]))
    expect((await logs()).map(({ requests }) => requests.GET)).toEqual(apps.map(() => 30))
    advanceClock(HOUR + MINUTE)
    await Promise.all(
      processes.map(async (usage) => {
        while ((await usage.announce()) > 0);
      }),
    )
    const envelopes = await createEventReader({ ports }, { id: workspaceId })()
    const clients = envelopes.map(({ usage_log }) => (usage_log as { readonly client_id: string }).client_id)
    expect(clients.sort()).toEqual(apps.toSorted())
    expect((await logs()).every(({ due_at }) => due_at === null)).toBe(true)
  })
})

describePersistentStores('a process', (createDatabase) => {
  test('saves its counts when it stops, and the next one announces an ended hour at once', async () => {
    const { database, open } = await createDatabase()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(database, receiver)
    const first = await acme.start()
    await acme.subscribe(first.address, receiver.url('/hook'), ['usage_logs.created'])
    await acme.send(first.address, 'GET', '/v1/tasks')
    await acme.send(first.address, 'GET', '/v1/tasks')
    expect(await first.stop()).toEqual([0, null])

    const storage = await open()
    const logs = () =>
      storage.read((tx) => tx.usage_logs.find([{ field: 'workspace_id', is: acme.workspace_id }]))
    const [log, ...otherLogs] = await logs()
    expect([log?.requests, otherLogs]).toEqual([{ GET: 2, POST: 1, PATCH: 0, DELETE: 0 }, []])
    expect(receiver.all()).toEqual([])
    await storage.transact((tx) => tx.usage_logs.update({ ...log!, due_at: new Date().toISOString() }))

    const second = await acme.start()
    const [received] = await receiver.waitUntil(({ length }) => length > 0)
    expect(received!.envelope).toMatchObject({
      event: 'usage_logs.created',
      usage_log: { id: log!.id, requests: log!.requests },
    })
    expect(await second.stop()).toEqual([0, null])
    expect(await logs()).toMatchObject([{ due_at: null }])
  })
})

describe.skipIf(postgresUrl === null)('a process with WORKER=false', () => {
  test('counts the requests it answers', async () => {
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(
      { driver: 'postgres', location: await testDatabaseUrl(postgresUrl!) },
      receiver,
    )
    const service = await acme.start({ WORKER: 'false' })
    await acme.send(service.address, 'GET', '/v1/tasks')
    expect(await service.stop()).toEqual([0, null])
    const { storage } = await acme.open()
    const logs = await storage.read((tx) =>
      tx.usage_logs.find([{ field: 'workspace_id', is: acme.workspace_id }]),
    )
    expect(logs).toMatchObject([{ requests: { GET: 1, POST: 0, PATCH: 0, DELETE: 0 } }])
  })
})

describe('a round', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const silentLog = { info: () => {}, error: () => {} }

  test('saves counts every ten seconds and once at the end', async () => {
    let saves = 0
    const save = async () => {
      saves += 1
    }
    const stop = startUsageSaveJob({ save }, silentLog)
    await vi.advanceTimersByTimeAsync(2 * TEN_SECONDS)
    expect(saves).toBe(2)
    await stop()
    expect(saves).toBe(3)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('logs the first of several failed saves, and the first success after them', async () => {
    const logged: unknown[][] = []
    const log = {
      info: (...args: unknown[]) => logged.push(['info', ...args]),
      error: (...args: unknown[]) => logged.push(['error', ...args]),
    }
    let saves = 0
    const save = async () => {
      saves += 1
      if (saves <= 2) throw new Error('disk full')
    }
    const stop = startUsageSaveJob({ save }, log)
    await vi.advanceTimersByTimeAsync(4 * TEN_SECONDS)
    await stop()
    expect(logged).toMatchObject([
      ['error', { err: { message: 'disk full' } }, expect.stringContaining('retried')],
      ['info', expect.stringContaining('again')],
    ])
  })

  test('of saving waits for the previous one, and stopping waits for both', async () => {
    const slowSave = Promise.withResolvers<void>()
    const order: string[] = []
    const save = async () => {
      order.push('started')
      await slowSave.promise
      order.push('done')
    }
    const stop = startUsageSaveJob({ save }, silentLog)
    await vi.advanceTimersByTimeAsync(3 * TEN_SECONDS)
    expect(order).toEqual(['started'])
    const stopping = stop()
    slowSave.resolve()
    await stopping
    expect(order).toEqual(['started', 'done', 'started', 'done'])
  })

  test('announces ended hours at the start and every minute, until none is left', async () => {
    let pendingHours = 2
    let calls = 0
    const announce = async () => {
      calls += 1
      return pendingHours-- > 0 ? 1 : 0
    }
    const stop = startUsageEventJob({ announce }, silentLog)
    await vi.advanceTimersByTimeAsync(0)
    expect(calls).toBe(3)
    pendingHours = 3
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(calls).toBe(7)
    await stop()
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(calls).toBe(7)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('of announcing waits for the previous one, including the first', async () => {
    const slowAnnounce = Promise.withResolvers<number>()
    let calls = 0
    const announce = () => {
      calls += 1
      return slowAnnounce.promise
    }
    const stop = startUsageEventJob({ announce }, silentLog)
    await vi.advanceTimersByTimeAsync(3 * MINUTE)
    expect(calls).toBe(1)
    slowAnnounce.resolve(0)
    await stop()
  })

  test('of announcing ends when the job stops, and is retried after a failure', async () => {
    const logged: unknown[] = []
    let calls = 0
    const announce = async () => {
      calls += 1
      if (calls === 1) throw new Error('disk full')
      stops.push(stop())
      return 1
    }
    const stops: Promise<void>[] = []
    const stop = startUsageEventJob({ announce }, { error: (...args: unknown[]) => logged.push(args) })
    await vi.advanceTimersByTimeAsync(2 * MINUTE)
    await Promise.all(stops)
    expect(calls).toBe(2)
    expect(logged).toMatchObject([[{ err: { message: 'disk full' } }, expect.stringContaining('retried')]])
  })
})
