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
  test('gives what is due, as it is to be sent, and holds it for as long as an attempt may take', async () => {
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

  test('gives again what nobody told the outcome of, once its time has run out', async () => {
    const { claim, clock, deliveries } = await createPendingDelivery()
    await claim()
    clock.advance(29)
    expect(await claim()).toEqual([])
    clock.advance(1)
    expect(await claim()).toMatchObject([{ lease: 2 }])
    expect(await deliveries()).toMatchObject([{ attempts: [], attempts_count: 0 }])
  })

  test('made twenty times at once gives each delivery once', async () => {
    const { claim, insertDelivery, webhook } = await createPendingDelivery()
    for (let nth = 1; nth < 30; nth += 1) await insertDelivery(webhook)
    const given = (await runTwenty(() => claim({ maxPerQueue: 2 }))).flat()
    expect(given).toHaveLength(30)
    expect(new Set(given.map(({ id }) => id)).size).toBe(30)
  })

  test('takes of each lane as much as there is room for', async () => {
    const { claim, insertDelivery, subscribe, webhook, ann } = await createPendingDelivery()
    const other = await subscribe({ url: 'https://b.example/', host: 'b.example' })
    for (const each of [webhook, webhook, other, other, other]) await insertDelivery(each)
    const lanes: DeliveryQueue[] = []
    const sharing = (ofFirst: number, ofOther: number, each = 100) =>
      claim({
        maxPerQueue: each,
        quota(lane) {
          lanes.push(lane)
          return lane.webhook_id === webhook.id ? ofFirst : ofOther
        },
      })
    expect(await sharing(0, 0, 2)).toEqual([])
    const workspace_id = ann.workspaceId
    expect(lanes).toEqual([
      { workspace_id, webhook_id: webhook.id, host: 'a.example', dueCount: 2 },
      { workspace_id, webhook_id: other.id, host: 'b.example', dueCount: 2 },
    ])
    const takenOf = (given: readonly { readonly webhook_id: string }[]) =>
      given.map(({ webhook_id }) => webhook_id)
    expect(takenOf(await sharing(0, 1))).toEqual([other.id])
    expect(takenOf(await sharing(2, 1))).toEqual([webhook.id, webhook.id, other.id])
    expect(takenOf(await sharing(9, 9))).toEqual([webhook.id, other.id])
  })

  test('reads what it is to tell once, however many webhooks hear it, and no more of it', async () => {
    const { storage, crm, ports, ann, subscribe, changeWebhook, worker } = await createDeliveryWorker()
    for (let nth = 0; nth < 3; nth += 1) await subscribe()
    const unheard = await subscribe()
    for (const title of ['Call', 'Write']) await crm.tasks.create(ann, { title })
    await changeWebhook(unheard, { client_id: UNKNOWN_ID })
    const asked: (readonly string[])[] = []
    const { transact } = storage
    Object.assign(storage, {
      transact: (work: Parameters<typeof transact>[0]) =>
        transact((tx) =>
          work({
            ...tx,
            workspace(id) {
              const stores = tx.workspace(id)
              const getMany: typeof stores.snapshots.getMany = (ids) => {
                asked.push(ids)
                return stores.snapshots.getMany(ids)
              }
              return { ...stores, snapshots: { ...stores.snapshots, getMany } }
            },
          }),
        ),
    })
    const sendings = await worker.claim({ maxPerQueue: 100, quota: ({ dueCount: waiting }) => waiting })
    expect(asked).toEqual([[expect.any(String), expect.any(String)]])
    expect(sendings).toHaveLength(6)
    const titles = sendings.map(({ body }) => (JSON.parse(body) as { task: { title: string } }).task.title)
    expect(titles.sort()).toEqual(['Call', 'Call', 'Call', 'Write', 'Write', 'Write'])
    for (const { id, event, body } of sendings)
      expect(JSON.parse(body)).toMatchObject({ id, event, created_at: ports.now() })
  })

  test('erases five hundred deliveries of webhooks that are gone, and wakes those who claim the others', async () => {
    const { claim, insertDelivery, deliveries, countNotifications } = await createDeliveryWorker()
    for (let nth = 0; nth < 8; nth += 1)
      for (let more = 0; more < 70; more += 1)
        await insertDelivery({ id: `0198c0de-0000-7000-8000-00000000000${nth}` })
    const woken = countNotifications()
    expect([await claim({ maxPerQueue: 70 }), (await deliveries()).length, woken.times]).toEqual([[], 60, 1])
    expect([await claim({ maxPerQueue: 70 }), (await deliveries()).length]).toEqual([[], 0])
  })

  test('tells nobody of the deliveries of a webhook that is gone, which go too', async () => {
    const { claim, insertDelivery, storage, webhook, deliveries, ann, subscribe } =
      await createPendingDelivery()
    const other = await insertDelivery(await subscribe())
    await storage.transact((tx) => tx.workspace(ann.workspaceId).webhooks.hardDelete(webhook.id))
    expect(await claim()).toMatchObject([{ id: other.id }])
    expect(await deliveries()).toMatchObject([{ id: other.id }])
  })

  test('needs no room for what nobody is to be told of, and asks for none', async () => {
    const { claim, insertDelivery, storage, webhook, deliveries, ann } = await createPendingDelivery()
    for (let nth = 1; nth < 5; nth += 1) await insertDelivery(webhook)
    await storage.transact((tx) => tx.workspace(ann.workspaceId).webhooks.hardDelete(webhook.id))
    const asked: DeliveryQueue[] = []
    const none = (lane: DeliveryQueue) => asked.push(lane) && 0
    expect(await claim({ maxPerQueue: 3, quota: none })).toEqual([])
    expect(await deliveries()).toHaveLength(2)
    await claim({ maxPerQueue: 3, quota: none })
    expect([await deliveries(), asked]).toEqual([[], []])
  })

  test('takes a webhook for no other that has its id in another workspace', async () => {
    const { claim, otherOwner, inWorkspace, webhook, delivery } = await createPendingDelivery()
    const there = inWorkspace(otherOwner.workspaceId)
    await there.insertDelivery(webhook)
    expect(await claim()).toMatchObject([{ id: delivery.id }])
    expect(await there.deliveries()).toEqual([])
  })
})

describe('a webhook that moved', () => {
  test('within its host is told at the new address', async () => {
    const { claim, changeWebhook, webhook } = await createPendingDelivery()
    await changeWebhook(webhook, { url: 'https://a.example:8443/new' })
    expect(await claim()).toMatchObject([{ url: 'https://a.example:8443/new', host: 'a.example' }])
  })

  test('to another host is told there', async () => {
    const { claim, changeWebhook, webhook, countNotifications } = await createPendingDelivery()
    await changeWebhook(webhook, { url: 'https://b.example/', host: 'b.example' })
    const woken = countNotifications()
    const hosts: unknown[] = []
    const share = ({ host, dueCount: waiting }: DeliveryQueue) => {
      hosts.push(host)
      return waiting
    }
    expect(await claim({ quota: share })).toMatchObject([
      { url: 'https://b.example/', host: 'b.example', lease: 1 },
    ])
    expect(hosts).toEqual(['b.example'])
    expect(woken.times).toBe(0)
  })
})

describe('an attempt', () => {
  test("is nobody else's for as long as an attempt may take, however soon a retry follows", async () => {
    const { claim, clock } = await createPendingDelivery({}, { retrySeconds: 1, leaseSeconds: 80 })
    expect(await claim()).toHaveLength(1)
    expect(await claim()).toEqual([])
    clock.advance(79)
    expect(await claim()).toEqual([])
    clock.advance(1)
    expect(await claim()).toMatchObject([{ lease: 2 }])
  })

  test('carries the same bytes as each before it', async () => {
    const { claim, settle, clock, delivery } = await createPendingDelivery()
    const sent: unknown[] = []
    for (let nth = 0; nth < 5; nth += 1) {
      const sendings = await claim()
      await settle(sendings, FAILED)
      sent.push(...sendings.map(({ id, body }) => ({ id, body })))
      clock.advance(900)
    }
    expect(sent).toEqual(Array.from({ length: 4 }, () => ({ id: delivery.id, body: expectedBody(delivery) })))
  })

  test('is signed as its webhook says by then', async () => {
    const { claim, settle, changeWebhook, sealed, webhook, clock, ann } = await createPendingDelivery()
    const signatureNow = async () => {
      const sendings = await claim()
      await settle(sendings, FAILED)
      clock.advance(900)
      return sendings[0]!.signature
    }
    const first = await signatureNow()
    await changeWebhook(webhook, { sealed_secret: null })
    expect(await signatureNow()).toBeUndefined()
    const context = `secret of webhook ${webhook.id} in workspace ${ann.workspaceId}`
    await changeWebhook(webhook, {
      sealed_secret: secrets.seal(new TextEncoder().encode('whsec_new'), context),
    })
    const third = await signatureNow()
    expect(third).toMatch(/^sha256=[0-9a-f]{64}$/)
    expect(third).not.toBe(first)
    await changeWebhook(webhook, { sealed_secret: sealed(webhook.id) })
    expect(await signatureNow()).toBe(first)
  })

  test('is neither put off by a clock that is set back nor lost with one that jumps ahead', async () => {
    const { claim, settle, clock, deliveries } = await createPendingDelivery()
    await settle(await claim(), FAILED)
    clock.advance(-2 * HOUR)
    const early = await claim()
    expect(early).toHaveLength(1)
    // Under way when the clock is set back once more: it comes twice rather than late.
    clock.advance(-2 * HOUR)
    const again = await claim()
    expect(again).toMatchObject([{ lease: 3 }])
    await settle(early, OK)
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts_count: 1 }])
    clock.advance(4 * HOUR)
    expect(await claim()).toMatchObject([{ lease: 4 }])
    await settle(again, OK)
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts_count: 1 }])
  })

  test('is due at its time where the clock was set back by less than a minute', async () => {
    const { claim, settle, clock } = await createPendingDelivery()
    await settle(await claim(), FAILED)
    clock.advance(-60)
    expect(await claim()).toEqual([])
    clock.advance(-1)
    expect(await claim()).toHaveLength(1)
  })
})

test('a delivery in a workspace that never was is erased', async () => {
  const { claim, inWorkspace } = await createDeliveryWorker()
  const { insertDelivery, deliveries } = inWorkspace(UNKNOWN_ID)
  await insertDelivery({ id: UNKNOWN_ID })
  expect(await claim()).toEqual([])
  expect(await deliveries()).toEqual([])
})
