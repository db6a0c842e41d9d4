import { describe, expect, test } from 'vitest'
import { createDeliveryWorker, FAILED, OK } from '../../../test/delivery-harness.ts'
import { NOON } from '../../../test/harness.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage } from '../../ports/storage.ts'
import type { Delivery } from '../../schema/delivery.ts'

/** Creates a webhook with claimed deliveries. */
async function withClaimed(count = 1, ...overrides: Parameters<typeof createDeliveryWorker>) {
  const base = await createDeliveryWorker(...overrides)
  const webhook = await base.subscribe()
  for (let nth = 0; nth < count; nth += 1) await base.insertDelivery(webhook)
  return { ...base, webhook, sendings: await base.claim() }
}

/** Returns a storage that cannot write a delivery if `isUnwritable` returns true, alone or in a batch. */
function failingStorage(isUnwritable: (delivery: Pick<Delivery, 'attempts'>) => boolean): Storage {
  const memory = memoryStorage()
  return {
    ...memory,
    transact: (work, options) =>
      options?.durability !== 'relaxed'
        ? memory.transact(work)
        : memory.transact(
            (tx) =>
              work({
                ...tx,
                outbox: {
                  ...tx.outbox,
                  async markDelivered(delivered) {
                    if (delivered.some(({ attempt }) => isUnwritable({ attempts: [attempt] })))
                      throw new Error('No room for one of them.')
                    return tx.outbox.markDelivered(delivered)
                  },
                },
                workspace(id) {
                  const stores = tx.workspace(id)
                  const { deliveries } = stores
                  const update: typeof deliveries.update = async (delivery) => {
                    if (isUnwritable(delivery)) throw new Error(`No room for ${delivery.id}.`)
                    return deliveries.update(delivery)
                  }
                  return { ...stores, deliveries: { ...deliveries, update } }
                },
              }),
            { durability: 'relaxed' },
          ),
  }
}

describe('saveOutcomes', () => {
  test('saves each outcome', async () => {
    const { worker, sendings, deliveries, drops } = await withClaimed(3)
    const outcomes = [OK, FAILED, { ...FAILED, status: null, error: 'timeout', response: null }] as const
    const deliveryOutcomes = sendings.map((request, nth) => ({
      request,
      attempt: { created_at: NOON, ...outcomes[nth]! },
    }))
    await worker.saveOutcomes(deliveryOutcomes)
    expect(drops).toEqual([])
    const attempted = { attempts_count: 1, sending: false, lease: 1, updated_at: '2026-03-01T12:00:00.005Z' }
    const pending = { ...attempted, status: 'pending', due_at: '2026-03-01T12:15:00.000Z' }
    expect(await deliveries()).toMatchObject([
      { ...attempted, status: 'delivered', due_at: null, attempts: [{ created_at: NOON, ...OK }] },
      { ...pending, attempts: [{ created_at: NOON, ...FAILED }] },
      {
        ...pending,
        attempts: [{ created_at: NOON, duration_ms: 5, status: null, error: 'timeout', response: null }],
      },
    ])
  })

  test('reports the deliveries it drops', async () => {
    const { saveOutcomes, sendings, webhook, ann, drops } = await withClaimed(2, {}, { retries: 0 })
    const dropped = {
      workspace_id: ann.workspaceId,
      webhook_id: webhook.id,
      event: 'task.created',
      reason: 'retries_exhausted',
    }
    await saveOutcomes(sendings.slice(0, 1))
    expect(drops).toEqual([])
    await saveOutcomes(sendings.slice(1), FAILED)
    expect(drops).toEqual([{ ...dropped, id: sendings[1]!.id }])
  })

  test('does not access the database for an empty list', async () => {
    const { worker, storage } = await createDeliveryWorker()
    await storage.close()
    await worker.saveOutcomes([])
    await worker.release([])
  })

  test('ignores an outcome after a later claim', async () => {
    const { claim, saveOutcomes, sendings, deliveries, clock } = await withClaimed()
    clock.advance(30)
    const secondClaim = await claim()
    const before = await deliveries()
    await saveOutcomes(sendings, FAILED)
    expect(await deliveries()).toEqual(before)
    await saveOutcomes(secondClaim)
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts_count: 1 }])
  })

  test('ignores a second outcome', async () => {
    const { saveOutcomes, sendings, deliveries } = await withClaimed()
    await saveOutcomes(sendings, FAILED)
    const before = await deliveries()
    await saveOutcomes(sendings)
    expect(await deliveries()).toEqual(before)
  })

  test('does not restore a deleted delivery', async () => {
    const { saveOutcomes, sendings, deliveries, storage, ann } = await withClaimed()
    await storage.transact((tx) => tx.workspace(ann.workspaceId).deliveries.hardDelete(sendings[0]!.id))
    await saveOutcomes(sendings)
    expect(await deliveries()).toEqual([])
  })

  test('counts as the attempt of a redelivery requested while sending', async () => {
    const { saveOutcomes, sendings, deliveries, crm, ann, client_id, webhook } = await withClaimed()
    const actor = { ...ann, clientId: client_id, scopes: new Set(['webhooks:manage']) }
    await crm.webhooks.redeliver(actor, webhook.id, sendings[0]!.id)
    await saveOutcomes(sendings, FAILED)
    expect(await deliveries()).toMatchObject([{ attempts_count: 1, due_at: '2026-03-01T12:15:00.000Z' }])
  })

  test('ends the redelivery of a finished delivery after one attempt', async () => {
    const { claim, saveOutcomes, sendings, deliveries, crm, ann, client_id, webhook, drops } =
      await withClaimed()
    await saveOutcomes(sendings)
    const actor = { ...ann, clientId: client_id, scopes: new Set(['webhooks:manage']) }
    await crm.webhooks.redeliver(actor, webhook.id, sendings[0]!.id)
    await saveOutcomes(await claim(), FAILED)
    expect(drops).toMatchObject([{ id: sendings[0]!.id }])
    expect(await deliveries()).toMatchObject([
      { status: 'dropped', reason: 'retries_exhausted', attempts_count: 2 },
    ])
  })
})

describe('saveOutcomes with several successes', () => {
  test('saves first successes without locking single rows', async () => {
    const lockedIds: string[] = []
    const memory = memoryStorage()
    const storage: Storage = {
      ...memory,
      transact: (work, options) =>
        options?.durability !== 'relaxed'
          ? memory.transact(work)
          : memory.transact(
              (tx) => {
                const stores = (id: string) => tx.workspace(id)
                const workspace = (id: string) => ({
                  ...stores(id),
                  deliveries: {
                    ...stores(id).deliveries,
                    async getForUpdate(delivery: string) {
                      lockedIds.push(delivery)
                      return stores(id).deliveries.getForUpdate(delivery)
                    },
                  },
                })
                return work({ ...tx, workspace })
              },
              { durability: 'relaxed' },
            ),
    }
    const { saveOutcomes, sendings, deliveries, claim, insertDelivery, webhook } = await withClaimed(3, {
      storage,
    })
    await saveOutcomes(sendings)
    expect(lockedIds).toEqual([])
    expect((await deliveries()).map(({ status, attempts_count }) => [status, attempts_count])).toEqual(
      Array(3).fill(['delivered', 1]),
    )
    await insertDelivery(webhook)
    const [next] = await claim()
    await saveOutcomes([...sendings, next!])
    expect((await deliveries()).map(({ status, attempts_count }) => [status, attempts_count])).toEqual(
      Array(4).fill(['delivered', 1]),
    )
  })

  test('appends to earlier attempts, including uncounted ones', async () => {
    const { worker, saveOutcomes, sendings, deliveries, claim, clock } = await withClaimed(2)
    const unsigned = {
      created_at: NOON,
      duration_ms: 0,
      status: null,
      error: 'not_signed',
      response: null,
    } as const
    await saveOutcomes(sendings.slice(0, 1), FAILED)
    await worker.saveOutcomes([{ request: sendings[1]!, attempt: unsigned }])
    clock.advance(900)
    const secondClaim = await claim()
    await saveOutcomes(secondClaim)
    expect(
      (await deliveries()).map(({ status, attempts_count, attempts }) => [
        status,
        attempts_count,
        attempts.length,
      ]),
    ).toEqual([
      ['delivered', 2, 2],
      ['delivered', 1, 2],
    ])
  })

  test('replaces characters of the response that cannot be stored', async () => {
    const { saveOutcomes, sendings, deliveries } = await withClaimed(1)
    await saveOutcomes(sendings, { ...OK, response: 'a\0b\ud800' })
    expect(await deliveries()).toMatchObject([{ attempts: [{ response: 'a\ufffdb\ufffd' }] }])
  })
})

describe('an outcome that cannot be saved', () => {
  const POISON = 'poison'
  const isPoisoned = ({ attempts }: Pick<Delivery, 'attempts'>) =>
    attempts.some(({ response }) => response === POISON)

  test('does not affect others, is reported, and its delivery is claimed again', async () => {
    const { worker, sendings, deliveries, failures, drops, clock, claim } = await withClaimed(
      3,
      { storage: failingStorage(isPoisoned) },
      { retries: 0 },
    )
    const outcomes = [OK, { ...OK, response: POISON }, FAILED]
    const deliveryOutcomes = sendings.map((request, nth) => ({
      request,
      attempt: { created_at: NOON, ...outcomes[nth]! },
    }))
    await worker.saveOutcomes(deliveryOutcomes)
    expect(drops).toMatchObject([{ id: sendings[2]!.id, reason: 'retries_exhausted' }])
    expect(await deliveries()).toMatchObject([
      { status: 'delivered' },
      { status: 'pending', sending: true, attempts: [] },
      { status: 'dropped' },
    ])
    expect(failures).toEqual([new Error(`No room for ${sendings[1]!.id}.`)])
    clock.advance(30)
    expect(await claim()).toMatchObject([{ id: sendings[1]!.id, lease: 2 }])
  })

  test('because the database is unavailable rejects, so that the worker can retry', async () => {
    let isUnavailable = false
    const memory = memoryStorage()
    const transact: Storage['transact'] = (work, options) =>
      isUnavailable && options?.durability === 'relaxed'
        ? Promise.reject(new Error('gone'))
        : memory.transact(work)
    const { saveOutcomes, sendings, deliveries, failures, drops } = await withClaimed(
      2,
      { storage: { ...memory, transact } },
      { retries: 0 },
    )
    isUnavailable = true
    await expect(saveOutcomes(sendings, FAILED)).rejects.toThrow('gone')
    expect(drops).toEqual([])
    isUnavailable = false
    await saveOutcomes(sendings)
    expect(await deliveries()).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }])
    expect(failures).toEqual([])
  })
})

describe('release', () => {
  test('makes claimed deliveries due at once, counts no attempt and notifies the workers', async () => {
    const { worker, sendings, deliveries, clock, claim, countNotifications } = await withClaimed(2)
    const before = await deliveries()
    const notifications = countNotifications()
    clock.advance(5)
    await worker.release(sendings)
    expect(await deliveries()).toEqual(
      before.map((delivery) => ({ ...delivery, sending: false, due_at: clock.now() })),
    )
    expect(notifications.count).toBe(1)
    expect(await claim()).toMatchObject([{ lease: 2 }, { lease: 2 }])
  })

  test('ignores deliveries that were settled, dropped or claimed again since', async () => {
    const { worker, sendings, deliveries, clock, claim, saveOutcomes, revoke } = await withClaimed(3)
    await saveOutcomes(sendings.slice(0, 1), FAILED)
    clock.advance(30)
    await claim({ quota: () => 1 })
    await worker.release(sendings.slice(0, 2))
    expect(await deliveries()).toMatchObject([
      { due_at: '2026-03-01T12:15:00.000Z' },
      { sending: true, lease: 2 },
      { sending: true },
    ])
    await revoke()
    const before = await deliveries()
    expect(before[2]).toMatchObject({ status: 'dropped' })
    await worker.release(sendings.slice(2))
    expect(await deliveries()).toEqual(before)
  })

  test('causes a later outcome to be ignored', async () => {
    const { worker, sendings, deliveries, saveOutcomes } = await withClaimed()
    await worker.release(sendings)
    const before = await deliveries()
    await saveOutcomes(sendings)
    expect(await deliveries()).toEqual(before)
  })
})
