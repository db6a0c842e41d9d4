import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { runTwenty } from '../../../test/accounts.ts'
import {
  createDeliveryWorker,
  createPendingDelivery,
  expectedBody,
  FAILED,
  OK,
  SECRET,
} from '../../../test/delivery-harness.ts'
import { secrets, UNKNOWN_ID } from '../../../test/harness.ts'
import type { DeliveryQueue } from '../../ports/index.ts'

const HOUR = 3600

describe('a claim', () => {
  test('returns the signed requests of due deliveries and leases them', async () => {
    const { claim, webhook, delivery, deliveries, ann } = await createPendingDelivery()
    const signature = `sha256=${createHmac('sha256', SECRET).update(expectedBody(delivery)).digest('hex')}`
    expect(await claim()).toEqual([
      {
        workspace_id: ann.workspaceId,
        id: delivery.id,
        webhook_id: webhook.id,
        event: 'task.created',
        lease: 1,
        url: 'https://a.example/hook',
        host: 'a.example',
        body: expectedBody(delivery),
        signature,
      },
    ])
    expect(await deliveries()).toEqual([
      { ...delivery, sending: true, lease: 1, due_at: '2026-03-01T12:00:30.000Z' },
    ])
    expect(await claim()).toEqual([])
  })

  test('returns a delivery again after its lease expired without an outcome', async () => {
    const { claim, clock, deliveries } = await createPendingDelivery()
    await claim()
    clock.advance(29)
    expect(await claim()).toEqual([])
    clock.advance(1)
    expect(await claim()).toMatchObject([{ lease: 2 }])
    expect(await deliveries()).toMatchObject([{ attempts: [], attempts_count: 0 }])
  })

  test('returns each delivery once to twenty concurrent claims', async () => {
    const { claim, insertDelivery, webhook } = await createPendingDelivery()
    for (let nth = 1; nth < 30; nth += 1) await insertDelivery(webhook)
    const requests = (await runTwenty(() => claim({ maxPerQueue: 2 }))).flat()
    expect(requests).toHaveLength(30)
    expect(new Set(requests.map(({ id }) => id)).size).toBe(30)
  })

  test('takes the quota of each queue', async () => {
    const { claim, insertDelivery, subscribe, webhook, ann } = await createPendingDelivery()
    const otherWebhook = await subscribe({ url: 'https://b.example/', host: 'b.example' })
    for (const recipient of [webhook, webhook, otherWebhook, otherWebhook, otherWebhook])
      await insertDelivery(recipient)
    const queues: DeliveryQueue[] = []
    const claimWithQuotas = (firstQuota: number, otherQuota: number, maxPerQueue = 100) =>
      claim({
        maxPerQueue,
        quota(queue) {
          queues.push(queue)
          return queue.webhook_id === webhook.id ? firstQuota : otherQuota
        },
      })
    expect(await claimWithQuotas(0, 0, 2)).toEqual([])
    const workspace_id = ann.workspaceId
    expect(queues).toEqual([
      { workspace_id, webhook_id: webhook.id, host: 'a.example', dueCount: 2 },
      { workspace_id, webhook_id: otherWebhook.id, host: 'b.example', dueCount: 2 },
    ])
    const getWebhookIds = (requests: readonly { readonly webhook_id: string }[]) =>
      requests.map(({ webhook_id }) => webhook_id)
    expect(getWebhookIds(await claimWithQuotas(0, 1))).toEqual([otherWebhook.id])
    expect(getWebhookIds(await claimWithQuotas(2, 1))).toEqual([webhook.id, webhook.id, otherWebhook.id])
    expect(getWebhookIds(await claimWithQuotas(9, 9))).toEqual([webhook.id, otherWebhook.id])
  })

  test('reads each needed snapshot once for all webhooks', async () => {
    const { storage, crm, ports, ann, subscribe, changeWebhook, worker } = await createDeliveryWorker()
    for (let nth = 0; nth < 3; nth += 1) await subscribe()
    const inaccessible = await subscribe()
    for (const title of ['Call', 'Write']) await crm.tasks.create(ann, { title })
    await changeWebhook(inaccessible, { client_id: UNKNOWN_ID })
    const loadedIds: (readonly string[])[] = []
    const { transact } = storage
    Object.assign(storage, {
      transact: (work: Parameters<typeof transact>[0]) =>
        transact((tx) =>
          work({
            ...tx,
            workspace(id) {
              const stores = tx.workspace(id)
              const getMany: typeof stores.snapshots.getMany = (ids) => {
                loadedIds.push(ids)
                return stores.snapshots.getMany(ids)
              }
              return { ...stores, snapshots: { ...stores.snapshots, getMany } }
            },
          }),
        ),
    })
    const sendings = await worker.claim({ maxPerQueue: 100, quota: ({ dueCount }) => dueCount })
    expect(loadedIds).toEqual([[expect.any(String), expect.any(String)]])
    expect(sendings).toHaveLength(6)
    const titles = sendings.map(({ body }) => (JSON.parse(body) as { task: { title: string } }).task.title)
    expect(titles.sort()).toEqual(['Call', 'Call', 'Call', 'Write', 'Write', 'Write'])
    for (const { id, event, body } of sendings)
      expect(JSON.parse(body)).toMatchObject({ id, event, created_at: ports.now() })
  })

  test('deletes up to 500 deliveries of deleted webhooks and notifies other workers', async () => {
    const { claim, insertDelivery, deliveries, countNotifications } = await createDeliveryWorker()
    for (let nth = 0; nth < 8; nth += 1)
      for (let count = 0; count < 70; count += 1)
        await insertDelivery({ id: `0198c0de-0000-7000-8000-00000000000${nth}` })
    const notifications = countNotifications()
    expect([await claim({ maxPerQueue: 70 }), (await deliveries()).length, notifications.count]).toEqual([
      [],
      60,
      1,
    ])
    expect([await claim({ maxPerQueue: 70 }), (await deliveries()).length]).toEqual([[], 0])
  })

  test('deletes the deliveries of a deleted webhook instead of sending them', async () => {
    const { claim, insertDelivery, storage, webhook, deliveries, ann, subscribe } =
      await createPendingDelivery()
    const other = await insertDelivery(await subscribe())
    await storage.transact((tx) => tx.workspace(ann.workspaceId).webhooks.hardDelete(webhook.id))
    expect(await claim()).toMatchObject([{ id: other.id }])
    expect(await deliveries()).toMatchObject([{ id: other.id }])
  })

  test('deletes orphaned deliveries without asking for a quota', async () => {
    const { claim, insertDelivery, storage, webhook, deliveries, ann } = await createPendingDelivery()
    for (let nth = 1; nth < 5; nth += 1) await insertDelivery(webhook)
    await storage.transact((tx) => tx.workspace(ann.workspaceId).webhooks.hardDelete(webhook.id))
    const queues: DeliveryQueue[] = []
    const quota = (queue: DeliveryQueue) => queues.push(queue) && 0
    expect(await claim({ maxPerQueue: 3, quota })).toEqual([])
    expect(await deliveries()).toHaveLength(2)
    await claim({ maxPerQueue: 3, quota })
    expect([await deliveries(), queues]).toEqual([[], []])
  })

  test('does not confuse webhooks with the same id in different workspaces', async () => {
    const { claim, otherOwner, inWorkspace, webhook, delivery } = await createPendingDelivery()
    const otherWorkspace = inWorkspace(otherOwner.workspaceId)
    await otherWorkspace.insertDelivery(webhook)
    expect(await claim()).toMatchObject([{ id: delivery.id }])
    expect(await otherWorkspace.deliveries()).toEqual([])
  })
})

describe('a webhook with a new URL', () => {
  test('on the same host receives pending deliveries', async () => {
    const { claim, changeWebhook, webhook } = await createPendingDelivery()
    await changeWebhook(webhook, { url: 'https://a.example:8443/new' })
    expect(await claim()).toMatchObject([{ url: 'https://a.example:8443/new', host: 'a.example' }])
  })

  test('on another host receives pending deliveries under the quota of that host', async () => {
    const { claim, changeWebhook, webhook, countNotifications } = await createPendingDelivery()
    await changeWebhook(webhook, { url: 'https://b.example/', host: 'b.example' })
    const notifications = countNotifications()
    const hosts: unknown[] = []
    const quota = ({ host, dueCount }: DeliveryQueue) => {
      hosts.push(host)
      return dueCount
    }
    expect(await claim({ quota })).toMatchObject([{ url: 'https://b.example/', host: 'b.example', lease: 1 }])
    expect(hosts).toEqual(['b.example'])
    expect(notifications.count).toBe(0)
  })
})

describe('an attempt', () => {
  test('keeps its delivery leased, even if the retry interval is shorter', async () => {
    const { claim, clock } = await createPendingDelivery({}, { retrySeconds: 1, leaseSeconds: 80 })
    expect(await claim()).toHaveLength(1)
    expect(await claim()).toEqual([])
    clock.advance(79)
    expect(await claim()).toEqual([])
    clock.advance(1)
    expect(await claim()).toMatchObject([{ lease: 2 }])
  })

  test('sends the same body as the previous attempts', async () => {
    const { claim, saveOutcomes, clock, delivery } = await createPendingDelivery()
    const sent: unknown[] = []
    for (let nth = 0; nth < 5; nth += 1) {
      const sendings = await claim()
      await saveOutcomes(sendings, FAILED)
      sent.push(...sendings.map(({ id, body }) => ({ id, body })))
      clock.advance(900)
    }
    expect(sent).toEqual(Array.from({ length: 4 }, () => ({ id: delivery.id, body: expectedBody(delivery) })))
  })

  test('is signed with the current secret of its webhook', async () => {
    const { claim, saveOutcomes, changeWebhook, sealSecret, webhook, clock, ann } =
      await createPendingDelivery()
    const claimSignature = async () => {
      const sendings = await claim()
      await saveOutcomes(sendings, FAILED)
      clock.advance(900)
      return sendings[0]!.signature
    }
    const first = await claimSignature()
    await changeWebhook(webhook, { sealed_secret: null })
    expect(await claimSignature()).toBeUndefined()
    const context = `secret of webhook ${webhook.id} in workspace ${ann.workspaceId}`
    await changeWebhook(webhook, {
      sealed_secret: secrets.seal(new TextEncoder().encode('whsec_new'), context),
    })
    const third = await claimSignature()
    expect(third).toMatch(/^sha256=[0-9a-f]{64}$/)
    expect(third).not.toBe(first)
    await changeWebhook(webhook, { sealed_secret: sealSecret(webhook.id) })
    expect(await claimSignature()).toBe(first)
  })

  test('is neither delayed by a clock set back nor lost by a clock set forward', async () => {
    const { claim, saveOutcomes, clock, deliveries } = await createPendingDelivery()
    await saveOutcomes(await claim(), FAILED)
    clock.advance(-2 * HOUR)
    const firstClaim = await claim()
    expect(firstClaim).toHaveLength(1)
    // The clock is set back again during the attempt: the delivery is sent twice rather than late.
    clock.advance(-2 * HOUR)
    const secondClaim = await claim()
    expect(secondClaim).toMatchObject([{ lease: 3 }])
    await saveOutcomes(firstClaim, OK)
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts_count: 1 }])
    clock.advance(4 * HOUR)
    expect(await claim()).toMatchObject([{ lease: 4 }])
    await saveOutcomes(secondClaim, OK)
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts_count: 1 }])
  })

  test('keeps its due time if the clock is set back by up to a minute', async () => {
    const { claim, saveOutcomes, clock } = await createPendingDelivery()
    await saveOutcomes(await claim(), FAILED)
    clock.advance(-60)
    expect(await claim()).toEqual([])
    clock.advance(-1)
    expect(await claim()).toHaveLength(1)
  })
})

test('deletes a delivery of an unknown workspace', async () => {
  const { claim, inWorkspace } = await createDeliveryWorker()
  const { insertDelivery, deliveries } = inWorkspace(UNKNOWN_ID)
  await insertDelivery({ id: UNKNOWN_ID })
  expect(await claim()).toEqual([])
  expect(await deliveries()).toEqual([])
})
