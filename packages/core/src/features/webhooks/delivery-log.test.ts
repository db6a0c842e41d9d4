import { describe, expect, test } from 'vitest'
import {
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  NOON,
  type TestCrm,
  UNKNOWN_ID,
} from '../../../test/harness.ts'
import type { Attempt, Delivery } from '../../schema/delivery.ts'

const LATER = '2026-03-01T12:01:00.000Z'
const QUARTER_HOUR_LATER = '2026-03-01T12:15:00.000Z'
const NOT_FOUND = { code: 'not_found', message: 'Delivery not found.' }
const FAILED: Attempt = { created_at: NOON, duration_ms: 12, status: 500, error: null, response: 'no' }

/** Creates a workspace with a webhook and one delivery to it, a minute ago. */
async function withDelivery() {
  const base = await createTestCrm()
  const { crm, owner, clock } = base
  const webhook = await crm.webhooks.create(owner, { url: 'https://hooks.example/crm', events: ['deal.won'] })
  const { id } = await crm.webhooks.test(owner, webhook.id)
  clock.set(LATER)
  return { ...base, webhook, id }
}

function getDelivery({ storage, owner }: TestCrm, id: string): Promise<Delivery> {
  return storage.read(async (tx) => (await tx.workspace(owner.workspaceId).deliveries.get(id))!)
}

async function change(base: TestCrm, id: string, fields: Partial<Delivery>): Promise<Delivery> {
  const delivery = { ...(await getDelivery(base, id)), ...fields }
  await base.storage.transact((tx) => tx.workspace(base.owner.workspaceId).deliveries.update(delivery))
  return delivery
}

/** Returns whether `work` notifies listeners of the storage. */
async function isNotified({ storage }: TestCrm, work: () => Promise<unknown>): Promise<boolean> {
  let hasNotified = false
  const unsubscribe = storage.onNotify(() => {
    hasNotified = true
  })
  await work()
  unsubscribe()
  return hasNotified
}

describe('a test event', () => {
  test('is enqueued for one webhook only and notifies the workers', async () => {
    const base = await withDelivery()
    const { crm, owner, webhook } = base
    await crm.webhooks.create(owner, { url: 'https://other.example', events: ['deal.won'] })
    let id = ''
    expect(
      await isNotified(base, async () => {
        const delivery = await crm.webhooks.test(owner, webhook.id)
        id = delivery.id
        expect(delivery).toEqual({
          ...{
            id,
            webhook_id: webhook.id,
            event: 'webhook.test',
            status: 'pending',
            reason: null,
            attempts_count: 0,
          },
          ...{ next_attempt_at: LATER, created_at: LATER, updated_at: LATER, attempts: [] },
          body: JSON.stringify({ id, event: 'webhook.test', version: 'v1', created_at: LATER, webhook }),
        })
      }),
    ).toBe(true)
    expect(await getDelivery(base, id)).toMatchObject({
      due_at: LATER,
      sending: false,
      last_attempt: false,
      lease: 0,
    })
    expect((await crm.webhooks.deliveries(owner, webhook.id)).meta.total).toBe(2)
  })
})

describe('the delivery log of a webhook', () => {
  test('lists deliveries without body and attempts, and returns one with both', async () => {
    const base = await withDelivery()
    const { crm, owner, webhook, id } = base
    await change(base, id, { attempts: [FAILED], attempts_count: 1, due_at: QUARTER_HOUR_LATER })
    const second = await crm.webhooks.test(owner, webhook.id)
    const item = {
      ...{
        id,
        webhook_id: webhook.id,
        event: 'webhook.test',
        status: 'pending',
        reason: null,
        attempts_count: 1,
      },
      ...{ next_attempt_at: QUARTER_HOUR_LATER, created_at: NOON, updated_at: NOON },
    }
    const { attempts: _, body: __, ...latest } = second
    expect(await crm.webhooks.deliveries(owner, webhook.id)).toEqual({
      data: [latest, item],
      meta: { total: 2, page: 1, per_page: 50, has_more: false },
    })
    expect((await crm.webhooks.deliveries(owner, webhook.id, { order: 'asc', per_page: 1 })).data).toEqual([
      item,
    ])
    expect(await crm.webhooks.delivery(owner, webhook.id, id.toUpperCase())).toEqual({
      ...item,
      attempts: [FAILED],
      body: JSON.stringify({ id, event: 'webhook.test', version: 'v1', created_at: NOON, webhook }),
    })
  })

  test('lists deliveries without reading snapshots', async () => {
    const base = await withDelivery()
    const { storage, crm, owner, webhook } = base
    const { read } = storage
    const readWithoutSnapshots = (work: Parameters<typeof read>[0]) =>
      read((tx) =>
        work({ ...tx, workspace: (id) => ({ ...tx.workspace(id), snapshots: undefined as never }) }),
      )
    Object.assign(storage, { read: readWithoutSnapshots })
    expect((await crm.webhooks.deliveries(owner, webhook.id)).data).toHaveLength(1)
    await expect(crm.webhooks.delivery(owner, webhook.id, base.id)).rejects.toThrow(TypeError)
  })

  test('filters by status', async () => {
    const base = await withDelivery()
    const { crm, owner, webhook, id } = base
    const droppedId = (await crm.webhooks.test(owner, webhook.id)).id
    const pendingId = (await crm.webhooks.test(owner, webhook.id)).id
    await change(base, id, { status: 'delivered', due_at: null })
    await change(base, droppedId, { status: 'dropped', reason: 'retries_exhausted', due_at: null })
    const listByStatus = async (status: Delivery['status']) =>
      (await crm.webhooks.deliveries(owner, webhook.id, { status })).data
    expect(await listByStatus('delivered')).toMatchObject([
      { id, status: 'delivered', next_attempt_at: null },
    ])
    expect(await listByStatus('dropped')).toMatchObject([
      { id: droppedId, reason: 'retries_exhausted', next_attempt_at: null },
    ])
    expect(await listByStatus('pending')).toMatchObject([{ id: pendingId }])
    expect(
      await catchFieldErrors(
        crm.webhooks.deliveries(owner, webhook.id, {
          status: 'sent',
          page: 0,
          order_by: 'event',
          events: 'x',
        } as never),
      ),
    ).toEqual({
      status: 'Must be one of: pending, delivered, dropped.',
      page: 'Must be a positive integer.',
      order_by: 'Must be one of: created_at.',
      events: 'Unknown parameter.',
    })
  })

  test('returns no next attempt during an attempt', async () => {
    const base = await withDelivery()
    await change(base, base.id, { sending: true, due_at: QUARTER_HOUR_LATER })
    expect(await base.crm.webhooks.delivery(base.owner, base.webhook.id, base.id)).toMatchObject({
      status: 'pending',
      next_attempt_at: null,
    })
  })

  test('contains the deliveries to this webhook only', async () => {
    const { crm, owner, webhook, id } = await withDelivery()
    const other = await crm.webhooks.create(owner, { url: 'https://hooks.example/crm', events: ['deal.won'] })
    expect((await crm.webhooks.deliveries(owner, other.id)).data).toEqual([])
    for (const [webhookId, deliveryId] of [
      [other.id, id],
      [webhook.id, UNKNOWN_ID],
      [webhook.id, webhook.id],
      [webhook.id, 'x'],
      [webhook.id, ''],
      [webhook.id, '__proto__'],
    ] as const) {
      expect(await catchRejection(crm.webhooks.delivery(owner, webhookId, deliveryId))).toEqual(NOT_FOUND)
      expect(await catchRejection(crm.webhooks.redeliver(owner, webhookId, deliveryId))).toEqual(NOT_FOUND)
    }
  })

  test('returns not_found after the webhook was deleted', async () => {
    const { crm, owner, webhook, id } = await withDelivery()
    await crm.webhooks.remove(owner, webhook.id)
    for (const work of [
      () => crm.webhooks.deliveries(owner, webhook.id),
      () => crm.webhooks.delivery(owner, webhook.id, id),
      () => crm.webhooks.redeliver(owner, webhook.id, id),
      () => crm.webhooks.test(owner, webhook.id),
    ])
      expect(await catchRejection(work)).toEqual({ code: 'not_found', message: 'Webhook not found.' })
  })
})

describe('redelivery', () => {
  test.each([
    ['delivered', null],
    ['dropped', 'retries_exhausted'],
    ['dropped', 'access_revoked'],
  ] as const)(
    'of a delivery that was %s (%s) schedules one attempt with the same id and body',
    async (status, reason) => {
      const base = await withDelivery()
      const { crm, owner, webhook, id } = base
      const { body } = await crm.webhooks.delivery(owner, webhook.id, id)
      const before = await change(base, id, {
        status,
        reason,
        due_at: null,
        attempts: [FAILED],
        attempts_count: 4,
        lease: 4,
      })
      await crm.webhooks.update(owner, webhook.id, { url: 'https://new.example' })
      expect(
        await isNotified(base, async () => {
          expect(await crm.webhooks.redeliver(owner, webhook.id, id)).toEqual({
            ...{
              id,
              webhook_id: webhook.id,
              event: 'webhook.test',
              status: 'pending',
              reason: null,
              attempts_count: 4,
            },
            ...{ next_attempt_at: LATER, created_at: NOON, updated_at: LATER, attempts: [FAILED], body },
          })
        }),
      ).toBe(true)
      expect(await getDelivery(base, id)).toEqual({
        ...before,
        ...{ status: 'pending', reason: null, due_at: LATER, last_attempt: true, updated_at: LATER },
      })
    },
  )

  test('of a pending delivery makes it due now and keeps its retries', async () => {
    const base = await withDelivery()
    const before = await change(base, base.id, {
      due_at: QUARTER_HOUR_LATER,
      attempts: [FAILED],
      attempts_count: 1,
      lease: 1,
    })
    expect(await base.crm.webhooks.redeliver(base.owner, base.webhook.id, base.id)).toMatchObject({
      next_attempt_at: LATER,
    })
    expect(await getDelivery(base, base.id)).toEqual({ ...before, due_at: LATER, updated_at: LATER })
  })

  test.each([
    ['being sent', { sending: true, due_at: QUARTER_HOUR_LATER, lease: 1 }],
    ['already due', { due_at: NOON }],
  ])('of a delivery %s changes nothing but notifies the workers', async (_, fields) => {
    const base = await withDelivery()
    const before = await change(base, base.id, fields)
    const { crm, owner, webhook, id } = base
    expect(await isNotified(base, () => crm.webhooks.redeliver(owner, webhook.id, id))).toBe(true)
    expect(await getDelivery(base, id)).toEqual(before)
  })
})
