import { describe, expect, test } from 'vitest'
import { runTwenty } from '../../../test/accounts.ts'
import { createDeliveryWorker } from '../../../test/delivery-harness.ts'
import { createTestCrm, type TestCrm } from '../../../test/harness.ts'
import { listEvents } from '../../../test/webhooks.ts'
import { createCrm } from '../../crm.ts'
import { conflict } from '../../kernel/errors.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage } from '../../ports/storage.ts'

const APP = '0198c0de-0000-7000-8000-aaaaaaaaaaaa'
const NONE = { GET: 0, POST: 0, PATCH: 0, DELETE: 0 }

const logs = ({ storage }: Pick<TestCrm, 'storage'>) => storage.read((tx) => tx.usage_logs.find([]))
const requests = async (base: Pick<TestCrm, 'storage'>) => (await logs(base)).map((log) => log.requests)

describe('calls', () => {
  test('are added to the database when saved, one record per app, workspace and hour', async () => {
    const base = await createTestCrm()
    const { crm, ann, ben, otherOwner, clock } = base
    crm.usage.count({ ...ann, clientId: APP }, 'GET')
    crm.usage.count({ ...ben, clientId: APP }, 'GET')
    crm.usage.count({ ...ann, clientId: APP }, 'POST')
    crm.usage.count({ ...otherOwner, clientId: APP }, 'PATCH')
    crm.usage.count({ ...ann, clientId: 'program' }, 'DELETE')
    expect(await logs(base)).toEqual([])
    clock.advance(10)
    await crm.usage.save()
    const found = await logs(base)
    expect(found).toHaveLength(3)
    expect(
      found.find(({ workspace_id, client_id }) => workspace_id === ann.workspaceId && client_id === APP),
    ).toEqual({
      id: expect.any(String),
      period: `${ann.workspaceId} ${APP} 2026-03-01T12`,
      workspace_id: ann.workspaceId,
      client_id: APP,
      period_start: '2026-03-01T12:00:00.000Z',
      period_end: '2026-03-01T13:00:00.000Z',
      requests: { ...NONE, GET: 2, POST: 1 },
      due_at: '2026-03-01T13:01:00.000Z',
      created_at: '2026-03-01T12:00:10.000Z',
      updated_at: '2026-03-01T12:00:10.000Z',
    })
    expect(found.find(({ workspace_id }) => workspace_id === otherOwner.workspaceId)).toHaveProperty(
      'requests',
      { ...NONE, PATCH: 1 },
    )
    expect(found.find(({ client_id }) => client_id === 'program')).toHaveProperty('requests', {
      ...NONE,
      DELETE: 1,
    })
  })

  test('belong to the hour in which they were made, whenever they are saved', async () => {
    const base = await createTestCrm()
    const { crm, ann, clock } = base
    clock.set('2026-03-01T12:59:59.999Z')
    crm.usage.count(ann, 'GET')
    clock.set('2026-03-01T13:00:00.000Z')
    crm.usage.count(ann, 'POST')
    clock.advance(5)
    await crm.usage.save()
    expect((await logs(base)).map(({ period_start, requests }) => [period_start, requests]).sort()).toEqual([
      ['2026-03-01T12:00:00.000Z', { ...NONE, GET: 1 }],
      ['2026-03-01T13:00:00.000Z', { ...NONE, POST: 1 }],
    ])
  })

  test('are saved once and added to the existing count', async () => {
    const base = await createTestCrm()
    const { crm, ann } = base
    crm.usage.count(ann, 'GET')
    await Promise.all([crm.usage.save(), crm.usage.save()])
    await crm.usage.save()
    crm.usage.count(ann, 'GET')
    crm.usage.count(ann, 'DELETE')
    await crm.usage.save()
    expect(await requests(base)).toEqual([{ ...NONE, GET: 2, DELETE: 1 }])
  })

  test('of two processes on one database are summed', async () => {
    const base = await createTestCrm()
    const processes = await runTwenty(async () => createCrm(base.ports))
    for (const { usage } of processes) usage.count(base.ann, 'GET')
    await Promise.all(processes.map(({ usage }) => usage.save()))
    expect(await requests(base)).toEqual([{ ...NONE, GET: 20 }])
  })

  test('of many apps are all saved', async () => {
    const base = await createTestCrm()
    for (let nth = 0; nth < 250; nth += 1)
      base.crm.usage.count({ ...base.ann, clientId: `app ${nth}` }, 'GET')
    await base.crm.usage.save()
    expect(await logs(base)).toHaveLength(250)
  })
})

describe('saving', () => {
  /** A memory store whose transactions fail while `failing` returns an error. */
  function failingStorage() {
    const sound = memoryStorage()
    const state: { failing: (nth: number) => unknown; tries: number } = { failing: () => undefined, tries: 0 }
    const storage: Storage = {
      ...sound,
      async transact(work) {
        state.tries += 1
        const error = state.failing(state.tries)
        if (error !== undefined) throw error
        return sound.transact(work)
      },
    }
    return { storage, state }
  }

  test('keeps all counts after a failure, including new ones', async () => {
    const { storage, state } = failingStorage()
    const base = await createTestCrm({ storage })
    const { crm, ann, clock } = base
    state.failing = () => new Error('gone')
    crm.usage.count(ann, 'GET')
    const saving = crm.usage.save()
    crm.usage.count(ann, 'GET')
    await expect(saving).rejects.toThrow('gone')
    clock.advance(3600)
    crm.usage.count(ann, 'POST')
    await expect(crm.usage.save()).rejects.toThrow('gone')
    state.failing = () => undefined
    await crm.usage.save()
    expect((await logs(base)).map(({ period_start, requests }) => [period_start, requests]).sort()).toEqual([
      ['2026-03-01T12:00:00.000Z', { ...NONE, GET: 2 }],
      ['2026-03-01T13:00:00.000Z', { ...NONE, POST: 1 }],
    ])
  })

  test('that fails halfway counts nothing twice', async () => {
    const { storage, state } = failingStorage()
    const base = await createTestCrm({ storage })
    for (let nth = 0; nth < 250; nth += 1)
      base.crm.usage.count({ ...base.ann, clientId: `app ${nth}` }, 'GET')
    const { tries } = state
    state.failing = (nth) => (nth === tries + 2 ? new Error('gone') : undefined)
    await expect(base.crm.usage.save()).rejects.toThrow('gone')
    expect(await logs(base)).toHaveLength(100)
    await base.crm.usage.save()
    expect(await requests(base)).toEqual(Array.from({ length: 250 }, () => ({ ...NONE, GET: 1 })))
  })

  test('retries when another process saved first', async () => {
    const { storage, state } = failingStorage()
    const base = await createTestCrm({ storage })
    base.crm.usage.count(base.ann, 'GET')
    const { tries } = state
    state.failing = (nth) => (nth <= tries + 2 ? conflict('period') : undefined)
    await base.crm.usage.save()
    expect(await requests(base)).toEqual([{ ...NONE, GET: 1 }])
  })

  test('counts late calls for the current hour', async () => {
    const base = await createTestCrm()
    const { crm, ann, clock } = base
    const late = createCrm(base.ports)
    crm.usage.count(ann, 'GET')
    late.usage.count(ann, 'POST')
    await crm.usage.save()
    clock.set('2026-03-01T13:01:00.000Z')
    expect(await crm.usage.announce()).toBe(1)
    clock.set('2026-03-01T14:30:00.000Z')
    await late.usage.save()
    expect(
      (await logs(base)).map(({ period_start, requests, due_at }) => [period_start, requests, due_at]),
    ).toEqual([
      ['2026-03-01T12:00:00.000Z', { ...NONE, GET: 1 }, null],
      ['2026-03-01T14:00:00.000Z', { ...NONE, POST: 1 }, '2026-03-01T15:01:00.000Z'],
    ])
  })

  test('counts calls of an announced hour, after the clock was set back, for the next hour', async () => {
    const base = await createTestCrm()
    const { crm, ann, clock } = base
    crm.usage.count(ann, 'GET')
    await crm.usage.save()
    clock.set('2026-03-01T13:01:00.000Z')
    await crm.usage.announce()
    clock.set('2026-03-01T12:30:00.000Z')
    crm.usage.count(ann, 'POST')
    await crm.usage.save()
    expect(await requests(base)).toEqual([{ ...NONE, GET: 1 }])
    clock.set('2026-03-01T13:30:00.000Z')
    await crm.usage.save()
    expect(await requests(base)).toEqual([
      { ...NONE, GET: 1 },
      { ...NONE, POST: 1 },
    ])
  })
})

describe('a completed hour', () => {
  test('is announced to subscribers in its workspace a minute later, once', async () => {
    const { crm, clock, ann, client_id, subscribe, deliveries, ports, storage } = await createDeliveryWorker()
    const webhook = await subscribe({ events: ['usage_logs.created'] })
    await subscribe({ events: ['task.created'] })
    crm.usage.count({ ...ann, clientId: client_id }, 'GET')
    await crm.usage.save()
    const [log] = await logs({ storage })
    clock.set('2026-03-01T13:00:59.999Z')
    expect(await crm.usage.announce()).toBe(0)
    clock.set('2026-03-01T13:01:00.000Z')
    const announcedCounts = await runTwenty(() => createCrm(ports).usage.announce())
    expect(Math.max(...announcedCounts)).toBe(1)
    expect(await crm.usage.announce()).toBe(0)
    const found = await deliveries()
    expect(found).toMatchObject([
      { webhook_id: webhook.id, event: 'usage_logs.created', due_at: '2026-03-01T13:01:00.000Z' },
    ])
    const usage_log = {
      id: log!.id,
      client_id,
      period_start: '2026-03-01T12:00:00.000Z',
      period_end: '2026-03-01T13:00:00.000Z',
      requests: { GET: 1, POST: 0, PATCH: 0, DELETE: 0 },
      created_at: '2026-03-01T13:01:00.000Z',
    }
    expect(await listEvents(storage, ann.workspaceId)).toEqual([['usage_logs.created', { usage_log }]])
    expect(await logs({ storage })).toEqual([
      { ...log, due_at: null, updated_at: '2026-03-01T13:01:00.000Z' },
    ])
  })

  test('is not announced to other workspaces or to apps without access', async () => {
    const { crm, clock, ann, otherOwner, client_id, subscribe, deliveries, inWorkspace, revoke } =
      await createDeliveryWorker()
    const there = inWorkspace(otherOwner.workspaceId)
    await subscribe({ events: ['usage_logs.created'] })
    await there.subscribe({ events: ['usage_logs.created'], client_id: null })
    crm.usage.count({ ...ann, clientId: client_id }, 'GET')
    await crm.usage.save()
    await revoke()
    clock.set('2026-03-01T13:01:00.000Z')
    expect(await crm.usage.announce()).toBe(1)
    expect(await deliveries()).toEqual([])
    expect(await there.deliveries()).toEqual([])
  })

  test('is announced with all others, a few at a time', async () => {
    const base = await createTestCrm()
    const { crm, ann, clock } = base
    for (let nth = 0; nth < 120; nth += 1) crm.usage.count({ ...ann, clientId: `app ${nth}` }, 'GET')
    await crm.usage.save()
    clock.set('2026-03-01T13:01:00.000Z')
    const rounds = []
    for (let count = await crm.usage.announce(); count > 0; count = await crm.usage.announce())
      rounds.push(count)
    expect(rounds).toEqual([50, 50, 20])
    expect((await logs(base)).every(({ due_at }) => due_at === null)).toBe(true)
  })
})
