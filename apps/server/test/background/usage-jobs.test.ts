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

describe('a call', () => {
  test('that is let in counts for its app, whatever becomes of it; HEAD as GET', async () => {
    const storage = memoryStorage()
    const service = await openService(storage)
    const { call, client_id, id, token, tokenFor, owner } = await openWorkspace(service)
    const narrow = await tokenFor(owner.email, ['tasks:read'])
    const made = (await call('POST', '/v1/people', { full_name: 'Ana' })).json as {
      readonly data: { readonly id: string }
    }
    await call('GET', '/v1/people')
    await service.app.request('/v1/people', { method: 'HEAD', headers: { Authorization: `Bearer ${token}` } })
    await call('POST', '/v1/people', '{')
    await call('POST', '/v1/people', { full_name: 'Ben' }, { token: narrow })
    await call('PATCH', `/v1/people/${made.data.id}`, { score: 5 })
    await call('DELETE', `/v1/people/${made.data.id}`)
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

  test('beyond the limit counts for nothing', async () => {
    const storage = memoryStorage()
    const service = await openService(storage, { limits: { GET: 2 } })
    const { call } = await openWorkspace(service)
    for (let nth = 0; nth < 3; nth += 1) await call('GET', '/v1/people')
    await service.crm.usage.save()
    expect(await storage.read((tx) => tx.usage_logs.find([]))).toMatchObject([{ requests: { GET: 2 } }])
  })
})

describeEachStore('many processes', (open) => {
  test('count together, and tell of an hour once', async () => {
    const storage = await open()
    const { ports, advanceClock: pass } = await openService(storage)
    const workspaceId = ports.newId()
    await addWebhook({ ports }, { id: workspaceId }, { events: ['usage_logs.created'] })
    const processes = Array.from({ length: 10 }, () => createCrm(ports).usage)
    const apps = Array.from({ length: 30 }, ports.newId)
    for (let round = 0; round < 3; round += 1) {
      for (const [nth, usage] of processes.entries()) {
        for (const clientId of nth % 2 === 0 ? apps : apps.toReversed())
          usage.count({ workspaceId, clientId }, 'GET')
      }
      await Promise.all(processes.map((usage) => usage.save()))
    }
    const logs = () => storage.read((tx) => tx.usage_logs.find([{ field: 'workspace_id', is: workspaceId }]))
    expect((await logs()).map(({ requests }) => requests.GET)).toEqual(apps.map(() => 30))
    pass(HOUR + MINUTE)
    await Promise.all(
      processes.map(async (usage) => {
        while ((await usage.announce()) > 0);
      }),
    )
    const told = await createEventReader({ ports }, { id: workspaceId })()
    const clients = told.map(({ usage_log }) => (usage_log as { readonly client_id: string }).client_id)
    expect(clients.sort()).toEqual(apps.toSorted())
    expect((await logs()).every(({ due_at }) => due_at === null)).toBe(true)
  })
})

describePersistentStores('a process of the service', (found) => {
  test('adds what it counted when it stops, and the next one tells of an hour that ended in between as soon as it starts', async () => {
    const { database: place, open } = await found()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(place, receiver)
    const first = await acme.start()
    await acme.subscribe(first.address, receiver.url('/heard'), ['usage_logs.created'])
    await acme.send(first.address, 'GET', '/v1/tasks')
    await acme.send(first.address, 'GET', '/v1/tasks')
    expect(await first.stop()).toEqual([0, null])

    const storage = await open()
    const logs = () =>
      storage.read((tx) => tx.usage_logs.find([{ field: 'workspace_id', is: acme.workspace_id }]))
    const [log, ...others] = await logs()
    expect([log?.requests, others]).toEqual([{ GET: 2, POST: 1, PATCH: 0, DELETE: 0 }, []])
    expect(receiver.all()).toEqual([])
    await storage.transact((tx) => tx.usage_logs.update({ ...log!, due_at: new Date().toISOString() }, log))

    const second = await acme.start()
    const [told] = await receiver.waitUntil(({ length }) => length > 0)
    expect(told!.envelope).toMatchObject({
      event: 'usage_logs.created',
      usage_log: { id: log!.id, requests: log!.requests },
    })
    expect(await second.stop()).toEqual([0, null])
    expect(await logs()).toMatchObject([{ due_at: null }])
  })
})

describe.skipIf(postgresUrl === null)('a process that does no work', () => {
  test('counts the calls it answers', async () => {
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(
      { driver: 'postgres', location: await testDatabaseUrl(postgresUrl!) },
      receiver,
    )
    const serving = await acme.start({ WORKER: 'false' })
    await acme.send(serving.address, 'GET', '/v1/tasks')
    expect(await serving.stop()).toEqual([0, null])
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

  const silent = { info: () => {}, error: () => {} }

  test('saves what was counted every ten seconds, and once more at the end', async () => {
    let saves = 0
    const save = async () => {
      saves += 1
    }
    const stop = startUsageSaveJob({ save }, silent)
    await vi.advanceTimersByTimeAsync(2 * TEN_SECONDS)
    expect(saves).toBe(2)
    await stop()
    expect(saves).toBe(3)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('of saving that fails is told once, and so is the first that works again', async () => {
    const told: unknown[][] = []
    const log = {
      info: (...all: unknown[]) => told.push(['info', ...all]),
      error: (...all: unknown[]) => told.push(['error', ...all]),
    }
    let saves = 0
    const save = async () => {
      saves += 1
      if (saves <= 2) throw new Error('disk full')
    }
    const stop = startUsageSaveJob({ save }, log)
    await vi.advanceTimersByTimeAsync(4 * TEN_SECONDS)
    await stop()
    expect(told).toMatchObject([
      ['error', { err: { message: 'disk full' } }, expect.stringContaining('retried')],
      ['info', expect.stringContaining('again')],
    ])
  })

  test('of saving waits for the one before it, and the end for both', async () => {
    const slow = Promise.withResolvers<void>()
    const order: string[] = []
    const save = async () => {
      order.push('begun')
      await slow.promise
      order.push('done')
    }
    const stop = startUsageSaveJob({ save }, silent)
    await vi.advanceTimersByTimeAsync(3 * TEN_SECONDS)
    expect(order).toEqual(['begun'])
    const stopped = stop()
    slow.resolve()
    await stopped
    expect(order).toEqual(['begun', 'done', 'begun', 'done'])
  })

  test('tells of hours that are over at the start and every minute, until none is left', async () => {
    let left = 2
    let asked = 0
    const announce = async () => {
      asked += 1
      return left-- > 0 ? 1 : 0
    }
    const stop = startUsageEventJob({ announce }, silent)
    await vi.advanceTimersByTimeAsync(0)
    expect(asked).toBe(3)
    left = 3
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(asked).toBe(7)
    await stop()
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(asked).toBe(7)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('of telling waits for the one before it, the first too', async () => {
    const slow = Promise.withResolvers<number>()
    let asked = 0
    const announce = () => {
      asked += 1
      return slow.promise
    }
    const stop = startUsageEventJob({ announce }, silent)
    await vi.advanceTimersByTimeAsync(3 * MINUTE)
    expect(asked).toBe(1)
    slow.resolve(0)
    await stop()
  })

  test('of telling ends when the service stops, and one that fails is tried again', async () => {
    const told: unknown[] = []
    let asked = 0
    const announce = async () => {
      asked += 1
      if (asked === 1) throw new Error('disk full')
      stopped.push(stop())
      return 1
    }
    const stopped: Promise<void>[] = []
    const stop = startUsageEventJob({ announce }, { error: (...all: unknown[]) => told.push(all) })
    await vi.advanceTimersByTimeAsync(2 * MINUTE)
    await Promise.all(stopped)
    expect(asked).toBe(2)
    expect(told).toMatchObject([[{ err: { message: 'disk full' } }, expect.stringContaining('retried')]])
  })
})
