import { describe, expect, test } from 'vitest'
import { createDeliveryWorker, FAILED, OK } from '../../../test/delivery-harness.ts'
import { NOON } from '../../../test/harness.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage } from '../../ports/storage.ts'
import type { Delivery } from '../../schema/delivery.ts'

/** With deliveries that are under way. */
async function sending(count = 1, ...special: Parameters<typeof createDeliveryWorker>) {
  const base = await createDeliveryWorker(...special)
  const webhook = await base.subscribe()
  for (let nth = 0; nth < count; nth += 1) await base.insertDelivery(webhook)
  return { ...base, webhook, sendings: await base.claim() }
}

/** A memory in which what `breaks` says cannot be written, of one or of many at once. */
function brittle(breaks: (delivery: Pick<Delivery, 'attempts'>) => boolean): Storage {
  const sound = memoryStorage()
  return {
    ...sound,
    transact: (work, options) =>
      options?.durability !== 'relaxed'
        ? sound.transact(work)
        : sound.transact(
            (tx) =>
              work({
                ...tx,
                outbox: {
                  ...tx.outbox,
                  async markDelivered(delivered) {
                    if (delivered.some(({ attempt }) => breaks({ attempts: [attempt] })))
                      throw new Error('No room for one of them.')
                    return tx.outbox.markDelivered(delivered)
                  },
                },
                workspace(id) {
                  const stores = tx.workspace(id)
                  const { deliveries } = stores
                  const update: typeof deliveries.update = async (delivery, before) => {
                    if (breaks(delivery)) throw new Error(`No room for ${delivery.id}.`)
                    return deliveries.update(delivery, before)
                  }
                  return { ...stores, deliveries: { ...deliveries, update } }
                },
              }),
            { durability: 'relaxed' },
          ),
  }
}

describe('settling', () => {
  test('notes what came of each', async () => {
    const { worker, sendings, deliveries, drops } = await sending(3)
    const outcomes = [OK, FAILED, { ...FAILED, status: null, error: 'timeout', response: null }] as const
    const sent = sendings.map((each, nth) => ({
      request: each,
      attempt: { created_at: NOON, ...outcomes[nth]! },
    }))
    await worker.saveOutcomes(sent)
    expect(drops).toEqual([])
    const tried = { attempts_count: 1, sending: false, lease: 1, updated_at: '2026-03-01T12:00:00.005Z' }
    const waiting = { ...tried, status: 'pending', due_at: '2026-03-01T12:15:00.000Z' }
    expect(await deliveries()).toMatchObject([
      { ...tried, status: 'delivered', due_at: null, attempts: [{ created_at: NOON, ...OK }] },
      { ...waiting, attempts: [{ created_at: NOON, ...FAILED }] },
      {
        ...waiting,
        attempts: [{ created_at: NOON, duration_ms: 5, status: null, error: 'timeout', response: null }],
      },
    ])
  })

  test('tells what is dropped now', async () => {
    const { settle, sendings, webhook, ann, drops } = await sending(2, {}, { retries: 0 })
    const dropped = {
      workspace_id: ann.workspaceId,
      webhook_id: webhook.id,
      event: 'task.created',
      reason: 'retries_exhausted',
    }
    await settle(sendings.slice(0, 1))
    expect(drops).toEqual([])
    await settle(sendings.slice(1), FAILED)
    expect(drops).toEqual([{ ...dropped, id: sendings[1]!.id }])
  })

  test('nothing needs no database', async () => {
    const { worker, storage } = await createDeliveryWorker()
    await storage.close()
    await worker.saveOutcomes([])
    await worker.release([])
  })

  test('too late for a claim that was made since changes nothing', async () => {
    const { claim, settle, sendings, deliveries, clock } = await sending()
    clock.advance(30)
    const later = await claim()
    const before = await deliveries()
    await settle(sendings, FAILED)
    expect(await deliveries()).toEqual(before)
    await settle(later)
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts_count: 1 }])
  })

  test('twice counts once', async () => {
    const { settle, sendings, deliveries } = await sending()
    await settle(sendings, FAILED)
    const before = await deliveries()
    await settle(sendings)
    expect(await deliveries()).toEqual(before)
  })

  test('brings nothing back that was erased', async () => {
    const { settle, sendings, deliveries, storage, ann } = await sending()
    await storage.transact((tx) => tx.workspace(ann.workspaceId).deliveries.hardDelete(sendings[0]!.id))
    await settle(sendings)
    expect(await deliveries()).toEqual([])
  })

  test('counts for a redelivery that was asked for meanwhile', async () => {
    const { settle, sendings, deliveries, crm, ann, client_id, webhook } = await sending()
    const actor = { ...ann, clientId: client_id, scopes: new Set(['webhooks:manage']) }
    await crm.webhooks.redeliver(actor, webhook.id, sendings[0]!.id)
    await settle(sendings, FAILED)
    expect(await deliveries()).toMatchObject([{ attempts_count: 1, due_at: '2026-03-01T12:15:00.000Z' }])
  })

  test('counts one attempt for a redelivery of what was over, whatever comes of it', async () => {
    const { claim, settle, sendings, deliveries, crm, ann, client_id, webhook, drops } = await sending()
    await settle(sendings)
    const actor = { ...ann, clientId: client_id, scopes: new Set(['webhooks:manage']) }
    await crm.webhooks.redeliver(actor, webhook.id, sendings[0]!.id)
    await settle(await claim(), FAILED)
    expect(drops).toMatchObject([{ id: sendings[0]!.id }])
    expect(await deliveries()).toMatchObject([
      { status: 'dropped', reason: 'retries_exhausted', attempts_count: 2 },
    ])
  })
})

describe('settling many that succeeded', () => {
  test('changes none one by one, where each is as it was claimed', async () => {
    const changed: string[] = []
    const sound = memoryStorage()
    const storage: Storage = {
      ...sound,
      transact: (work, options) =>
        options?.durability !== 'relaxed'
          ? sound.transact(work)
          : sound.transact(
              (tx) => {
                const stores = (id: string) => tx.workspace(id)
                const told = (id: string) => ({
                  ...stores(id),
                  deliveries: {
                    ...stores(id).deliveries,
                    async getForUpdate(delivery: string) {
                      changed.push(delivery)
                      return stores(id).deliveries.getForUpdate(delivery)
                    },
                  },
                })
                return work({ ...tx, workspace: told })
              },
              { durability: 'relaxed' },
            ),
    }
    const { settle, sendings, deliveries, claim, insertDelivery, webhook } = await sending(3, { storage })
    await settle(sendings)
    expect(changed).toEqual([])
    expect((await deliveries()).map(({ status, attempts_count }) => [status, attempts_count])).toEqual(
      Array(3).fill(['delivered', 1]),
    )
    await insertDelivery(webhook)
    const [next] = await claim()
    await settle([...sendings, next!])
    expect((await deliveries()).map(({ status, attempts_count }) => [status, attempts_count])).toEqual(
      Array(4).fill(['delivered', 1]),
    )
  })

  test('appends to the attempts that were made before, those included that do not count', async () => {
    const { worker, settle, sendings, deliveries, claim, clock } = await sending(2)
    const unsigned = {
      created_at: NOON,
      duration_ms: 0,
      status: null,
      error: 'not_signed',
      response: null,
    } as const
    await settle(sendings.slice(0, 1), FAILED)
    await worker.saveOutcomes([{ request: sendings[1]!, attempt: unsigned }])
    clock.advance(900)
    const again = await claim()
    await settle(again)
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

  test('keeps what a receiver answers as far as it can be kept', async () => {
    const { settle, sendings, deliveries } = await sending(1)
    await settle(sendings, { ...OK, response: 'a\0b\ud800' })
    expect(await deliveries()).toMatchObject([{ attempts: [{ response: 'a\ufffdb\ufffd' }] }])
  })
})

describe('an outcome that cannot be kept', () => {
  const POISON = 'poison'
  const isPoisoned = ({ attempts }: Pick<Delivery, 'attempts'>) =>
    attempts.some(({ response }) => response === POISON)

  test('keeps no other from being noted, is told to the operator, and its delivery is sent again', async () => {
    const { worker, sendings, deliveries, failures, drops, clock, claim } = await sending(
      3,
      { storage: brittle(isPoisoned) },
      { retries: 0 },
    )
    const outcomes = [OK, { ...OK, response: POISON }, FAILED]
    const sent = sendings.map((each, nth) => ({
      request: each,
      attempt: { created_at: NOON, ...outcomes[nth]! },
    }))
    await worker.saveOutcomes(sent)
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

  test('because the database is gone is for the worker to tell again', async () => {
    let gone = false
    const sound = memoryStorage()
    const transact: Storage['transact'] = (work, options) =>
      gone && options?.durability === 'relaxed' ? Promise.reject(new Error('gone')) : sound.transact(work)
    const { settle, sendings, deliveries, failures, drops } = await sending(
      2,
      { storage: { ...sound, transact } },
      { retries: 0 },
    )
    gone = true
    await expect(settle(sendings, FAILED)).rejects.toThrow('gone')
    expect(drops).toEqual([])
    gone = false
    await settle(sendings)
    expect(await deliveries()).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }])
    expect(failures).toEqual([])
  })
})

describe('giving back', () => {
  test('makes what was claimed due at once, counts nothing, and wakes whoever claims', async () => {
    const { worker, sendings, deliveries, clock, claim, countNotifications } = await sending(2)
    const before = await deliveries()
    const woken = countNotifications()
    clock.advance(5)
    await worker.release(sendings)
    expect(await deliveries()).toEqual(
      before.map((each) => ({ ...each, sending: false, due_at: clock.now() })),
    )
    expect(woken.times).toBe(1)
    expect(await claim()).toMatchObject([{ lease: 2 }, { lease: 2 }])
  })

  test('changes nothing that was settled, dropped or claimed since', async () => {
    const { worker, sendings, deliveries, clock, claim, settle, revoke } = await sending(3)
    await settle(sendings.slice(0, 1), FAILED)
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

  test('comes before an outcome that is told after it', async () => {
    const { worker, sendings, deliveries, settle } = await sending()
    await worker.release(sendings)
    const before = await deliveries()
    await settle(sendings)
    expect(await deliveries()).toEqual(before)
  })
})
