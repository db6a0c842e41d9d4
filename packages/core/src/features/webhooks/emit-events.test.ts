import { expect, test } from 'vitest'
import { createTestCrm, NOON, type TestCrm, UNKNOWN_ID } from '../../../test/harness.ts'
import { insertWebhook, listDeliveries, listEvents, listSnapshots } from '../../../test/webhooks.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage } from '../../ports/storage.ts'
import { buildBody } from './snapshot.ts'

const LATER = '2026-03-01T13:00:00.000Z'
const OTHER_URL = 'https://other.example/hook'

const listEventNames = async ({ storage, owner }: TestCrm) =>
  (await listEvents(storage, owner.workspaceId)).map(([event]) => event)

/** Creates an app with a token in `workspace`, by default one of the owner in `acme`. */
async function createAppWithToken(
  { crm, owner, storage }: TestCrm,
  workspace = 'acme',
  user_email = 'olga@acme.example',
) {
  const { client_id } = await crm.operator.createApp({
    name: 'Sync',
    email: 'sync@app.example',
    redirect_uris: ['https://app.example/cb'],
    scopes: ['tags:write'],
  })
  await crm.operator.createToken({ workspace, client_id, user_email })
  const revoke = () =>
    storage.transact(async (tx) => {
      const { grants } = tx.workspace(owner.workspaceId)
      for (const grant of await grants.find([{ field: 'client_id', is: client_id }]))
        await grants.update({ ...grant, revoked_at: NOON })
    })
  return { client_id, revoke }
}

/** Returns a storage that records the store calls of workspaces, in order. */
function recordingStorage() {
  const storage = memoryStorage()
  const calls: string[] = []
  const transact: Storage['transact'] = (work) =>
    storage.transact((tx) =>
      work({
        ...tx,
        workspace(id) {
          const stores = Object.entries(tx.workspace(id)).map(([name, store]) => [
            name,
            recordCalls(name, store),
          ])
          return Object.fromEntries(stores)
        },
      }),
    )
  const recordCalls = (name: string, store: object) =>
    Object.fromEntries(
      Object.entries(store).map(([method, call]) => [
        method,
        (...args: unknown[]) => {
          calls.push(`${name}.${method}`)
          return call(...args)
        },
      ]),
    )
  return { storage: { ...storage, transact }, calls }
}

test('an event creates one delivery with an immutable snapshot', async () => {
  const { crm, ports, storage, owner, clock } = await createTestCrm()
  const webhook = await insertWebhook(ports, owner.workspaceId)
  clock.set(LATER)
  const { id: tag } = await crm.tags.create(owner, { name: 'Hot “leads”\u2028🔥' })
  const [delivery, ...otherDeliveries] = await listDeliveries(storage, owner.workspaceId)
  const [snapshot, ...otherSnapshots] = await listSnapshots(storage, owner.workspaceId)
  const key = 'hot_leads'
  expect([otherDeliveries, otherSnapshots]).toEqual([[], []])
  expect(delivery).toEqual({
    id: expect.stringMatching(/^0198c0de-0000-7000-8000-\d{12}$/),
    webhook_id: webhook.id,
    event: 'tag.created',
    snapshot_id: snapshot?.id,
    status: 'pending',
    reason: null,
    attempts: [],
    attempts_count: 0,
    last_attempt: false,
    due_at: LATER,
    sending: false,
    lease: 0,
    created_at: LATER,
    updated_at: LATER,
  })
  const entity = `"tag":{"id":"${tag}","key":"${key}","name":"Hot “leads”\u2028🔥","color":"#6b7280","created_at":"${LATER}","updated_at":"${LATER}"}}`
  expect(snapshot).toEqual({
    id: expect.any(String),
    entity,
    subject: null,
    created_at: LATER,
    updated_at: LATER,
  })
  const head = `{"id":"${delivery?.id}","event":"tag.created","version":"v1","created_at":"${LATER}",`
  expect(buildBody(delivery!, snapshot!)).toBe(head + entity)
  await crm.tags.update(owner, tag, { name: 'Cold' })
  expect((await listDeliveries(storage, owner.workspaceId))[0]).toEqual(delivery)
  expect((await listSnapshots(storage, owner.workspaceId))[0]).toEqual(snapshot)
})

test('a change creates one delivery per event and subscribed webhook, with one snapshot', async () => {
  const base = await createTestCrm()
  const { crm, ports, storage, owner } = base
  const broad = await insertWebhook(ports, owner.workspaceId, { events: ['task.updated', 'task.completed'] })
  const narrow = await insertWebhook(ports, owner.workspaceId, { events: ['task.completed'], url: OTHER_URL })
  const { id } = await crm.tasks.create(owner, { title: 'Call' })
  expect(await listEventNames(base)).toEqual([])
  await crm.tasks.update(owner, id, { completed: true })
  const deliveries = await listDeliveries(storage, owner.workspaceId)
  expect(deliveries.map(({ event, webhook_id }) => ({ event, webhook_id }))).toEqual([
    { event: 'task.updated', webhook_id: broad.id },
    { event: 'task.completed', webhook_id: broad.id },
    { event: 'task.completed', webhook_id: narrow.id },
  ])
  expect(new Set(deliveries.map(({ id }) => id)).size).toBe(3)
  const [snapshot, ...others] = await listSnapshots(storage, owner.workspaceId)
  expect(others).toEqual([])
  expect(deliveries.map(({ snapshot_id }) => snapshot_id)).toEqual(Array(3).fill(snapshot!.id))
  for (const delivery of deliveries) {
    const { id, event } = delivery
    expect(JSON.parse(buildBody(delivery, snapshot!))).toMatchObject({ id, event, task: { completed: true } })
  }
})

test('a webhook receives the events of its own workspace only', async () => {
  const base = await createTestCrm()
  const { crm, ports, storage, owner, otherOwner } = base
  await insertWebhook(ports, otherOwner.workspaceId)
  await crm.tags.create(owner, { name: 'Hot' })
  expect([await listEventNames(base), await listDeliveries(storage, otherOwner.workspaceId)]).toEqual([
    [],
    [],
  ])
})

test('an app receives events while it has a grant in the workspace', async () => {
  const base = await createTestCrm()
  const { crm, ports, owner } = base
  const { client_id, revoke } = await createAppWithToken(base)
  await insertWebhook(ports, owner.workspaceId, { client_id })
  await crm.tags.create(owner, { name: 'Hot' })
  expect(await listEventNames(base)).toEqual(['tag.created'])
  await revoke()
  await crm.tags.create(owner, { name: 'Cold' })
  expect(await listEventNames(base)).toEqual(['tag.created'])
})

test('an app with one live grant of two receives events', async () => {
  const base = await createTestCrm()
  const { crm, ports, owner } = base
  const { client_id, revoke } = await createAppWithToken(base)
  await revoke()
  await crm.operator.createToken({ workspace: 'acme', client_id, user_email: 'ann@acme.example' })
  await insertWebhook(ports, owner.workspaceId, { client_id })
  await crm.tags.create(owner, { name: 'Hot' })
  expect(await listEventNames(base)).toEqual(['tag.created'])
})

test('a grant in another workspace or of another app gives no access to events', async () => {
  const base = await createTestCrm()
  const { crm, ports, storage, owner } = base
  await createAppWithToken(base)
  const { client_id } = await createAppWithToken(base, 'other', 'sam@other.example')
  await insertWebhook(ports, owner.workspaceId, { client_id })
  const workspaceWebhook = await insertWebhook(ports, owner.workspaceId)
  const embedded = await insertWebhook(ports, owner.workspaceId, { client_id: 'embedded' })
  await crm.tags.create(owner, { name: 'Hot' })
  const deliveries = await listDeliveries(storage, owner.workspaceId)
  expect(deliveries.map(({ webhook_id }) => webhook_id)).toEqual([workspaceWebhook.id, embedded.id])
})

test('workers are notified after the commit of a change with a recipient', async () => {
  const { crm, ports, storage, owner } = await createTestCrm()
  let notificationCount = 0
  storage.onNotify(() => {
    notificationCount += 1
  })
  await crm.tags.create(owner, { name: 'Hot' })
  const { id } = await insertWebhook(ports, owner.workspaceId, {
    events: ['tag.created', 'pipeline.deleted'],
  })
  await crm.tags.update(owner, 'hot', { name: 'Hotter' })
  await expect(crm.tags.create(owner, { name: 'Hot', key: 'hot' })).rejects.toThrow(
    'A record with this value already exists.',
  )
  expect(notificationCount).toBe(0)
  await crm.tags.create(owner, { name: 'Cold' })
  expect(notificationCount).toBe(1)
  await storage.transact((tx) => tx.workspace(owner.workspaceId).webhooks.hardDelete(id))
  await insertWebhook(ports, owner.workspaceId, { client_id: UNKNOWN_ID })
  await crm.tags.create(owner, { name: 'Warm' })
  expect(notificationCount).toBe(1)
})

test('without webhooks a change costs one lookup, beside that of the role, and no row', async () => {
  const { storage, calls } = recordingStorage()
  const { crm, owner } = await createTestCrm({ storage })
  const captureCalls = async (work: () => Promise<unknown>) => {
    calls.length = 0
    await work()
    return [...calls]
  }
  const { id } = await crm.tasks.create(owner, { title: 'Call' })
  expect(await captureCalls(() => crm.tasks.create(owner, { title: 'Call' }))).toEqual([
    'members.get',
    'webhooks.find',
    'tasks.insert',
  ])
  expect(await captureCalls(() => crm.tasks.update(owner, id, { completed: true }))).toEqual([
    'tasks.getForUpdate',
    'webhooks.find',
    'members.get',
    'tasks.update',
  ])
  expect(await captureCalls(() => crm.tasks.remove(owner, id))).toEqual([
    'tasks.getForUpdate',
    'webhooks.find',
    'members.get',
    'tasks.softDelete',
  ])
  expect(await listDeliveries(storage, owner.workspaceId)).toEqual([])
})

test.each(['lists', 'taskTypes', 'customFields'] as const)(
  '%s emit no events and cause no webhook lookup',
  async (kind) => {
    const { storage, calls } = recordingStorage()
    const { crm, ports, owner } = await createTestCrm({ storage })
    await insertWebhook(ports, owner.workspaceId)
    calls.length = 0
    const inputs = {
      lists: { name: 'A' },
      taskTypes: { title: 'A' },
      customFields: { label: 'A', key: 'a', type: 'text' },
    }
    const changes = { lists: { name: 'B' }, taskTypes: { title: 'B' }, customFields: { label: 'B' } }
    const api = crm[kind] as unknown as Record<
      'create' | 'update' | 'remove',
      (...args: unknown[]) => Promise<{ id: string }>
    >
    const { id } = await api.create(owner, inputs[kind])
    await api.update(owner, id, changes[kind])
    await api.remove(owner, id)
    expect(calls).not.toContain('webhooks.find')
    expect(await listDeliveries(storage, owner.workspaceId)).toEqual([])
  },
)
