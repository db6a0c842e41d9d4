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
const IN_A_QUARTER = '2026-03-01T12:15:00.000Z'
const GONE = { code: 'not_found', message: 'Delivery not found.' }
const FAILED: Attempt = { created_at: NOON, duration_ms: 12, status: 500, error: null, response: 'no' }

/** An office with a webhook and one delivery to it, a moment ago. */
async function delivered() {
  const base = await createTestCrm()
  const { crm, owner, clock } = base
  const webhook = await crm.webhooks.create(owner, { url: 'https://hooks.example/crm', events: ['deal.won'] })
  const { id } = await crm.webhooks.test(owner, webhook.id)
  clock.set(LATER)
  return { ...base, webhook, id }
}

function kept({ storage, owner }: TestCrm, id: string): Promise<Delivery> {
  return storage.read(async (tx) => (await tx.workspace(owner.workspaceId).deliveries.get(id))!)
}

async function change(base: TestCrm, id: string, fields: Partial<Delivery>): Promise<Delivery> {
  const delivery = { ...(await kept(base, id)), ...fields }
  await base.storage.transact((tx) => tx.workspace(base.owner.workspaceId).deliveries.update(delivery))
  return delivery
}

/** Whether anybody is woken by what is done. */
async function wakes({ storage }: TestCrm, work: () => Promise<unknown>): Promise<boolean> {
  let woken = false
  const end = storage.onNotify(() => {
    woken = true
  })
  await work()
  end()
  return woken
}

describe('a test', () => {
  test('is an event of one webhook’s own, and puts it in the outbox at once', async () => {
    const base = await delivered()
    const { crm, owner, webhook } = base
    await crm.webhooks.create(owner, { url: 'https://other.example', events: ['deal.won'] })
    let id = ''
    expect(
      await wakes(base, async () => {
        const made = await crm.webhooks.test(owner, webhook.id)
        id = made.id
        expect(made).toEqual({
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
    expect(await kept(base, id)).toMatchObject({
      due_at: LATER,
      sending: false,
      last_attempt: false,
      lease: 0,
    })
    expect((await crm.webhooks.deliveries(owner, webhook.id)).meta.total).toBe(2)
  })
})

describe('the log of a webhook', () => {
  test('lists deliveries without their bodies and attempts, the latest first, and one with them', async () => {
    const base = await delivered()
    const { crm, owner, webhook, id } = base
    await change(base, id, { attempts: [FAILED], attempts_count: 1, due_at: IN_A_QUARTER })
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
      ...{ next_attempt_at: IN_A_QUARTER, created_at: NOON, updated_at: NOON },
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

  test('is listed without reading what was told', async () => {
    const base = await delivered()
    const { storage, crm, owner, webhook } = base
    const { read } = storage
    const refused = (work: Parameters<typeof read>[0]) =>
      read((tx) =>
        work({ ...tx, workspace: (id) => ({ ...tx.workspace(id), snapshots: undefined as never }) }),
      )
    Object.assign(storage, { read: refused })
    expect((await crm.webhooks.deliveries(owner, webhook.id)).data).toHaveLength(1)
    await expect(crm.webhooks.delivery(owner, webhook.id, base.id)).rejects.toThrow(TypeError)
  })

  test('is narrowed by status', async () => {
    const base = await delivered()
    const { crm, owner, webhook, id } = base
    const gone = (await crm.webhooks.test(owner, webhook.id)).id
    const waiting = (await crm.webhooks.test(owner, webhook.id)).id
    await change(base, id, { status: 'delivered', due_at: null })
    await change(base, gone, { status: 'dropped', reason: 'retries_exhausted', due_at: null })
    const found = async (status: Delivery['status']) =>
      (await crm.webhooks.deliveries(owner, webhook.id, { status })).data
    expect(await found('delivered')).toMatchObject([{ id, status: 'delivered', next_attempt_at: null }])
    expect(await found('dropped')).toMatchObject([
      { id: gone, reason: 'retries_exhausted', next_attempt_at: null },
    ])
    expect(await found('pending')).toMatchObject([{ id: waiting }])
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

  test('names no next attempt while there is one', async () => {
    const base = await delivered()
    await change(base, base.id, { sending: true, due_at: IN_A_QUARTER })
    expect(await base.crm.webhooks.delivery(base.owner, base.webhook.id, base.id)).toMatchObject({
      status: 'pending',
      next_attempt_at: null,
    })
  })

  test('holds what went to this webhook alone', async () => {
    const { crm, owner, webhook, id } = await delivered()
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
      expect(await catchRejection(crm.webhooks.delivery(owner, webhookId, deliveryId))).toEqual(GONE)
      expect(await catchRejection(crm.webhooks.redeliver(owner, webhookId, deliveryId))).toEqual(GONE)
    }
  })

  test('is as gone as its webhook', async () => {
    const { crm, owner, webhook, id } = await delivered()
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

describe('redelivering', () => {
  test.each([
    ['delivered', null],
    ['dropped', 'retries_exhausted'],
    ['dropped', 'access_revoked'],
  ] as const)(
    'what was %s (%s) has it tried once more, with the same id and body',
    async (status, reason) => {
      const base = await delivered()
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
        await wakes(base, async () => {
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
      expect(await kept(base, id)).toEqual({
        ...before,
        ...{ status: 'pending', reason: null, due_at: LATER, last_attempt: true, updated_at: LATER },
      })
    },
  )

  test('what waits for its next attempt has it now, and is tried again after it as before', async () => {
    const base = await delivered()
    const before = await change(base, base.id, {
      due_at: IN_A_QUARTER,
      attempts: [FAILED],
      attempts_count: 1,
      lease: 1,
    })
    expect(await base.crm.webhooks.redeliver(base.owner, base.webhook.id, base.id)).toMatchObject({
      next_attempt_at: LATER,
    })
    expect(await kept(base, base.id)).toEqual({ ...before, due_at: LATER, updated_at: LATER })
  })

  test.each([
    ['is being tried', { sending: true, due_at: IN_A_QUARTER, lease: 1 }],
    ['is due already', { due_at: NOON }],
  ])('what %s leaves it as it is, and wakes whoever sends', async (_, fields) => {
    const base = await delivered()
    const before = await change(base, base.id, fields)
    const { crm, owner, webhook, id } = base
    expect(await wakes(base, () => crm.webhooks.redeliver(owner, webhook.id, id))).toBe(true)
    expect(await kept(base, id)).toEqual(before)
  })
})
