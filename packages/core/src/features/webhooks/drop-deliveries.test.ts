import { describe, expect, test } from 'vitest'
import { createDeliveryWorker } from '../../../test/delivery-harness.ts'
import { ANN, BEN, catchRejection, NOON, UNKNOWN_ID } from '../../../test/harness.ts'
import { APP } from '../../../test/oauth-harness.ts'

/** With one delivery that waits and one under way. */
async function withPending() {
  const base = await createDeliveryWorker()
  const webhook = await base.subscribe()
  const [underWay, waiting] = [await base.insertDelivery(webhook), await base.insertDelivery(webhook)]
  const sendings = await base.claim({ quota: () => 1 })
  base.clock.advance(1)
  return { ...base, webhook, underWay, waiting, sendings }
}

type Base = Awaited<ReturnType<typeof withPending>>

const WAYS: readonly (readonly [string, (base: Base) => Promise<unknown>])[] = [
  ['revoking the token', ({ revoke }) => revoke()],
  [
    'disconnecting the app',
    ({ crm, visitor, ann, client_id }) =>
      crm.accounts.disconnectApp(visitor, { workspace_id: ann.workspaceId, client_id }),
  ],
  ['removing the member', ({ crm }) => crm.operator.removeMember({ workspace: 'acme', email: ANN.email })],
  [
    'presenting a used code again',
    async ({ codeFor, exchange, revoke }) => {
      const code = await codeFor()
      await exchange(code)
      await revoke()
      await exchange(code).catch(() => undefined)
    },
  ],
]

describe.each(WAYS)('%s', (_, end) => {
  test('drops all that is pending for an app that holds no other grant', async () => {
    const base = await withPending()
    const over = {
      status: 'dropped',
      reason: 'access_revoked',
      sending: false,
      due_at: null,
      updated_at: '2026-03-01T12:00:01.000Z',
    }
    await end(base)
    expect(await base.deliveries()).toEqual([
      { ...base.underWay, ...over, lease: 1 },
      { ...base.waiting, ...over },
    ])
    expect(await base.claim()).toEqual([])
  })

  test('leaves all as it is where somebody else still lets the app in', async () => {
    const base = await withPending()
    await base.crm.operator.createToken({
      workspace: 'acme',
      client_id: base.client_id,
      user_email: BEN.email,
    })
    const before = await base.deliveries()
    await end(base)
    expect(await base.deliveries()).toEqual(before)
  })
})

describe('losing access', () => {
  test('drops nothing of other apps, of other workspaces, of the workspace itself, or that is over', async () => {
    const {
      crm,
      subscribe,
      insertDelivery,
      webhook,
      revoke,
      deliveries,
      inWorkspace,
      otherOwner,
      client_id,
      clock,
    } = await withPending()
    const { client_id: another } = await crm.operator.createApp({ ...APP, name: 'Another' })
    await crm.operator.createToken({ workspace: 'acme', client_id: another, user_email: BEN.email })
    await crm.operator.createToken({ workspace: 'other', client_id, user_email: 'sam@other.example' })
    const kept = [
      await insertDelivery(await subscribe({ client_id: another })),
      await insertDelivery(await subscribe({ client_id: null })),
      await insertDelivery(webhook, { status: 'delivered', due_at: null }),
      await insertDelivery(webhook, { status: 'dropped', reason: 'retries_exhausted', due_at: null }),
    ]
    const there = inWorkspace(otherOwner.workspaceId)
    const elsewhere = await there.insertDelivery(await there.subscribe())
    clock.advance(1)
    await revoke()
    expect((await deliveries()).slice(2)).toEqual(kept)
    expect(await there.deliveries()).toEqual([elsewhere])
  })

  test('is taken back with the transaction that fails', async () => {
    const base = await withPending()
    const before = await base.deliveries()
    const { storage } = base
    const { transact } = storage
    Object.assign(storage, {
      transact: (work: Parameters<typeof transact>[0]) =>
        transact(async (tx) => {
          await work(tx)
          throw new Error('no')
        }),
    })
    await expect(base.revoke()).rejects.toThrow('no')
    expect(await base.deliveries()).toEqual(before)
    expect((await base.grants())[0]!.revoked_at).toBeNull()
  })

  test('while a delivery is under way ends it, whatever is told of it later', async () => {
    const { revoke, settle, sendings, deliveries } = await withPending()
    await revoke()
    const before = await deliveries()
    await settle(sendings)
    expect(await deliveries()).toEqual(before)
  })

  test('is no matter to an outcome that is told after access is back and the delivery was asked for again', async () => {
    const { revoke, settle, claim, sendings, deliveries, codeFor, exchange, crm, ann, client_id, webhook } =
      await withPending()
    await revoke()
    await exchange(await codeFor())
    const actor = { ...ann, clientId: client_id, scopes: new Set(['webhooks:manage']) }
    await crm.webhooks.redeliver(actor, webhook.id, sendings[0]!.id)
    await settle(sendings)
    expect((await deliveries())[0]).toMatchObject({ status: 'pending', attempts_count: 0 })
    const again = await claim()
    expect(again).toMatchObject([{ id: sendings[0]!.id, lease: 2 }])
    await settle(sendings)
    await settle(again)
    expect((await deliveries())[0]).toMatchObject({ status: 'delivered', attempts_count: 1 })
  })

  test('holds what is pending in the order in which outcomes are noted, whichever webhook it is for', async () => {
    const base = await createDeliveryWorker()
    const { storage, subscribe, insertDelivery, revoke } = base
    const webhooks = [await subscribe(), await subscribe()]
    const made: string[] = []
    for (let nth = 0; nth < 4; nth += 1) made.push((await insertDelivery(webhooks[nth % 2]!)).id)
    const heldIds: string[] = []
    const { transact } = storage
    Object.assign(storage, {
      transact: (work: Parameters<typeof transact>[0]) =>
        transact((tx) =>
          work({
            ...tx,
            workspace(id) {
              const stores = tx.workspace(id)
              const { deliveries } = stores
              const getForUpdate: typeof deliveries.getForUpdate = (deliveryId) => {
                heldIds.push(deliveryId)
                return deliveries.getForUpdate(deliveryId)
              }
              return { ...stores, deliveries: { ...deliveries, getForUpdate } }
            },
          }),
        ),
    })
    await revoke()
    expect(heldIds).toEqual(made.toSorted())
  })

  test('drops a thousand deliveries at once, of all webhooks together, and the others when their turn comes', async () => {
    const { storage, ann, waiting, ports, revoke, deliveries, claim, subscribe } = await withPending()
    const webhookIds = [waiting.webhook_id, (await subscribe()).id]
    const more = Array.from({ length: 1010 }, (_, nth) => ({
      ...waiting,
      id: ports.newId(),
      webhook_id: webhookIds[nth % 2]!,
      created_at: new Date(Date.parse(NOON) + nth).toISOString(),
    }))
    await storage.transact((tx) => tx.workspace(ann.workspaceId).deliveries.insertMany(more))
    await revoke()
    const left = async () => (await deliveries()).filter(({ status }) => status === 'pending')
    expect(await left()).toHaveLength(12)
    expect(await claim()).toEqual([])
    expect(await left()).toEqual([])
    expect(new Set((await deliveries()).map(({ reason }) => reason))).toEqual(new Set(['access_revoked']))
  })
})

describe('deleting a webhook', () => {
  const actorOf = ({ ann, client_id }: Base) => ({
    ...ann,
    clientId: client_id,
    scopes: new Set(['webhooks:manage']),
  })

  test('erases what waits for it and what is under way, and nothing else', async () => {
    const base = await withPending()
    const { crm, webhook, subscribe, insertDelivery, deliveries, inWorkspace, otherOwner, settle, sendings } =
      base
    const over = { due_at: null, sending: false } as const
    const kept = [
      await insertDelivery(webhook, { ...over, status: 'delivered' }),
      await insertDelivery(webhook, { ...over, status: 'dropped', reason: 'retries_exhausted' }),
      await insertDelivery(await subscribe()),
    ]
    const elsewhere = await inWorkspace(otherOwner.workspaceId).insertDelivery(webhook)
    await crm.webhooks.remove(actorOf(base), webhook.id)
    expect(await deliveries()).toEqual(kept)
    expect(await inWorkspace(otherOwner.workspaceId).deliveries()).toEqual([elsewhere])
    await settle(sendings)
    expect(await deliveries()).toEqual(kept)
  })

  test('that is not there, or is taken back, erases nothing', async () => {
    const base = await withPending()
    const before = await base.deliveries()
    await catchRejection(base.crm.webhooks.remove(actorOf(base), UNKNOWN_ID))
    await catchRejection(
      base.crm.webhooks.remove({ ...actorOf(base), clientId: UNKNOWN_ID }, base.webhook.id),
    )
    const { transact } = base.storage
    Object.assign(base.storage, {
      transact: (work: Parameters<typeof transact>[0]) =>
        transact(async (tx) => {
          await work(tx)
          throw new Error('no')
        }),
    })
    await expect(base.crm.webhooks.remove(actorOf(base), base.webhook.id)).rejects.toThrow('no')
    expect(await base.deliveries()).toEqual(before)
  })

  test('erases a thousand deliveries at once, and the others when they would be claimed', async () => {
    const base = await withPending()
    const { storage, ann, webhook, waiting, ports, crm, deliveries, claim } = base
    const more = Array.from({ length: 1010 }, () => ({ ...waiting, id: ports.newId() }))
    await storage.transact((tx) => tx.workspace(ann.workspaceId).deliveries.insertMany(more))
    await crm.webhooks.remove(actorOf(base), webhook.id)
    expect(await deliveries()).toHaveLength(12)
    expect(await claim({ quota: () => 0 })).toEqual([])
    expect(await deliveries()).toEqual([])
  })
})
