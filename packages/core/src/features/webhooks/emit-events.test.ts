import { expect, test } from 'vitest'
import { createTestCrm, NOON, type TestCrm, UNKNOWN_ID } from '../../../test/harness.ts'
import { insertWebhook, listDeliveries, listEvents, listSnapshots } from '../../../test/webhooks.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage } from '../../ports/storage.ts'
import { buildBody } from './snapshot.ts'

const LATER = '2026-03-01T13:00:00.000Z'
const OTHER_URL = 'https://other.example/hook'

const namesIn = async ({ storage, owner }: TestCrm) =>
  (await listEvents(storage, owner.workspaceId)).map(([event]) => event)

/** An app with a token of the owner's, which is good in `acme`. */
async function appOf({ crm, owner, storage }: TestCrm, workspace = 'acme', user_email = 'olga@acme.example') {
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

/** A storage that says what was asked of the collections of a workspace, in that order. */
function watched() {
  const storage = memoryStorage()
  const asked: string[] = []
  const transact: Storage['transact'] = (work) =>
    storage.transact((tx) =>
      work({
        ...tx,
        workspace(id) {
          const stores = Object.entries(tx.workspace(id)).map(([name, store]) => [
            name,
            watching(name, store),
          ])
          return Object.fromEntries(stores)
        },
      }),
    )
  const watching = (name: string, store: object) =>
    Object.fromEntries(
      Object.entries(store).map(([method, call]) => [
        method,
        (...args: unknown[]) => {
          asked.push(`${name}.${method}`)
          return call(...args)
        },
      ]),
    )
  return { storage: { ...storage, transact }, asked }
}

test('an event is one delivery, which tells of a snapshot that is frozen', async () => {
  const { crm, ports, storage, owner, clock } = await createTestCrm()
  const webhook = await insertWebhook(ports, owner.workspaceId)
  clock.set(LATER)
  const { id: tag } = await crm.tags.create(owner, { name: 'Hot “leads”\u2028🔥' })
  const [delivery, ...more] = await listDeliveries(storage, owner.workspaceId)
  const [snapshot, ...others] = await listSnapshots(storage, owner.workspaceId)
  const key = 'hot_leads'
  expect([more, others]).toEqual([[], []])
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
  expect(snapshot).toEqual({ id: expect.any(String), entity, created_at: LATER, updated_at: LATER })
  const head = `{"id":"${delivery?.id}","event":"tag.created","version":"v1","created_at":"${LATER}",`
  expect(buildBody(delivery!, snapshot!)).toBe(head + entity)
  await crm.tags.update(owner, tag, { name: 'Cold' })
  expect((await listDeliveries(storage, owner.workspaceId))[0]).toEqual(delivery)
  expect((await listSnapshots(storage, owner.workspaceId))[0]).toEqual(snapshot)
})

test('each event of a change is a delivery of its own, for each webhook that asked for it', async () => {
  const base = await createTestCrm()
  const { crm, ports, storage, owner } = base
  const both = await insertWebhook(ports, owner.workspaceId, { events: ['task.updated', 'task.completed'] })
  const one = await insertWebhook(ports, owner.workspaceId, { events: ['task.completed'], url: OTHER_URL })
  const { id } = await crm.tasks.create(owner, { title: 'Call' })
  expect(await namesIn(base)).toEqual([])
  await crm.tasks.update(owner, id, { completed: true })
  const deliveries = await listDeliveries(storage, owner.workspaceId)
  expect(deliveries.map(({ event, webhook_id }) => ({ event, webhook_id }))).toEqual([
    { event: 'task.updated', webhook_id: both.id },
    { event: 'task.completed', webhook_id: both.id },
    { event: 'task.completed', webhook_id: one.id },
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

test('a webhook hears its own workspace, and no other', async () => {
  const base = await createTestCrm()
  const { crm, ports, storage, owner, otherOwner } = base
  await insertWebhook(ports, otherOwner.workspaceId)
  await crm.tags.create(owner, { name: 'Hot' })
  expect([await namesIn(base), await listDeliveries(storage, otherOwner.workspaceId)]).toEqual([[], []])
})

test('an app is told as long as it holds a grant in the workspace', async () => {
  const base = await createTestCrm()
  const { crm, ports, owner } = base
  const { client_id, revoke } = await appOf(base)
  await insertWebhook(ports, owner.workspaceId, { client_id })
  await crm.tags.create(owner, { name: 'Hot' })
  expect(await namesIn(base)).toEqual(['tag.created'])
  await revoke()
  await crm.tags.create(owner, { name: 'Cold' })
  expect(await namesIn(base)).toEqual(['tag.created'])
})

test('one of two grants is enough', async () => {
  const base = await createTestCrm()
  const { crm, ports, owner } = base
  const { client_id, revoke } = await appOf(base)
  await revoke()
  await crm.operator.createToken({ workspace: 'acme', client_id, user_email: 'ann@acme.example' })
  await insertWebhook(ports, owner.workspaceId, { client_id })
  await crm.tags.create(owner, { name: 'Hot' })
  expect(await namesIn(base)).toEqual(['tag.created'])
})

test('a grant in another workspace, or of another app, is none; who needs one keeps nobody else from hearing', async () => {
  const base = await createTestCrm()
  const { crm, ports, storage, owner } = base
  await appOf(base)
  const { client_id } = await appOf(base, 'other', 'sam@other.example')
  await insertWebhook(ports, owner.workspaceId, { client_id })
  const own = await insertWebhook(ports, owner.workspaceId)
  const embedded = await insertWebhook(ports, owner.workspaceId, { client_id: 'embedded' })
  await crm.tags.create(owner, { name: 'Hot' })
  const deliveries = await listDeliveries(storage, owner.workspaceId)
  expect(deliveries.map(({ webhook_id }) => webhook_id)).toEqual([own.id, embedded.id])
})

test('whoever sends is woken once a change that somebody hears is committed', async () => {
  const { crm, ports, storage, owner } = await createTestCrm()
  let woken = 0
  storage.onNotify(() => {
    woken += 1
  })
  await crm.tags.create(owner, { name: 'Hot' })
  const { id } = await insertWebhook(ports, owner.workspaceId, {
    events: ['tag.created', 'pipeline.deleted'],
  })
  await crm.tags.update(owner, 'hot', { name: 'Hotter' })
  await expect(crm.tags.create(owner, { name: 'Hot', key: 'hot' })).rejects.toThrow(
    'A record with this value already exists.',
  )
  expect(woken).toBe(0)
  await crm.tags.create(owner, { name: 'Cold' })
  expect(woken).toBe(1)
  await storage.transact((tx) => tx.workspace(owner.workspaceId).webhooks.hardDelete(id))
  await insertWebhook(ports, owner.workspaceId, { client_id: UNKNOWN_ID })
  await crm.tags.create(owner, { name: 'Warm' })
  expect(woken).toBe(1)
})

test('where nobody listens, a change costs one look, and no row', async () => {
  const { storage, asked } = watched()
  const { crm, owner } = await createTestCrm({ storage })
  const askedBy = async (work: () => Promise<unknown>) => {
    asked.length = 0
    await work()
    return [...asked]
  }
  const { id } = await crm.tasks.create(owner, { title: 'Call' })
  expect(await askedBy(() => crm.tasks.create(owner, { title: 'Call' }))).toEqual([
    'webhooks.find',
    'tasks.insert',
  ])
  expect(await askedBy(() => crm.tasks.update(owner, id, { completed: true }))).toEqual([
    'tasks.getForUpdate',
    'webhooks.find',
    'tasks.update',
  ])
  expect(await askedBy(() => crm.tasks.remove(owner, id))).toEqual([
    'tasks.getForUpdate',
    'webhooks.find',
    'tasks.softDelete',
  ])
  expect(await listDeliveries(storage, owner.workspaceId)).toEqual([])
})

test.each(['lists', 'taskTypes', 'customFields'] as const)(
  '%s tell nothing, and nobody is looked for',
  async (kind) => {
    const { storage, asked } = watched()
    const { crm, ports, owner } = await createTestCrm({ storage })
    await insertWebhook(ports, owner.workspaceId)
    asked.length = 0
    const made = {
      lists: { name: 'A' },
      taskTypes: { title: 'A' },
      customFields: { label: 'A', key: 'a', type: 'text' },
    }
    const changed = { lists: { name: 'B' }, taskTypes: { title: 'B' }, customFields: { label: 'B' } }
    const api = crm[kind] as unknown as Record<
      'create' | 'update' | 'remove',
      (...args: unknown[]) => Promise<{ id: string }>
    >
    const { id } = await api.create(owner, made[kind])
    await api.update(owner, id, changed[kind])
    await api.remove(owner, id)
    expect(asked).not.toContain('webhooks.find')
    expect(await listDeliveries(storage, owner.workspaceId)).toEqual([])
  },
)
