import { describe, expect, test } from 'vitest'
import { createDeliveryWorker } from '../../../test/delivery-harness.ts'
import { ANN, BEN, catchRejection, NOON, UNKNOWN_ID } from '../../../test/harness.ts'
import { APP } from '../../../test/oauth-harness.ts'

/** Creates a webhook with one pending delivery and one being sent. */
async function withPending() {
  const base = await createDeliveryWorker()
  const webhook = await base.subscribe()
  const [inFlight, pending] = [await base.insertDelivery(webhook), await base.insertDelivery(webhook)]
  const sendings = await base.claim({ quota: () => 1 })
  base.clock.advance(1)
  return { ...base, webhook, inFlight, pending, sendings }
}

type Base = Awaited<ReturnType<typeof withPending>>

const REVOCATIONS: readonly (readonly [string, (base: Base) => Promise<unknown>])[] = [
  ['revoking the token', ({ revoke }) => revoke()],
  [
    'disconnecting the app',
    ({ crm, userSession, ann, client_id }) =>
      crm.accounts.disconnectApp(userSession, { workspace_id: ann.workspaceId, client_id }),
  ],
  ['removing the member', ({ crm }) => crm.operator.removeMember({ workspace: 'acme', email: ANN.email })],
  [
    'reusing a code',
    async ({ codeFor, exchange, revoke }) => {
      const code = await codeFor()
      await exchange(code)
      await revoke()
      await exchange(code).catch(() => undefined)
    },
  ],
]

describe.each(REVOCATIONS)('%s', (_, revokeAccess) => {
  test('drops all pending deliveries of an app without another grant', async () => {
    const base = await withPending()
    const dropped = {
      status: 'dropped',
      reason: 'access_revoked',
      sending: false,
      due_at: null,
      updated_at: '2026-03-01T12:00:01.000Z',
    }
    await revokeAccess(base)
    expect(await base.deliveries()).toEqual([
      { ...base.inFlight, ...dropped, lease: 1 },
      { ...base.pending, ...dropped },
    ])
    expect(await base.claim()).toEqual([])
  })

  test('drops nothing if the app has a grant by another user', async () => {
    const base = await withPending()
    await base.crm.operator.createToken({
      workspace: 'acme',
      client_id: base.client_id,
      user_email: BEN.email,
    })
    const before = await base.deliveries()
    await revokeAccess(base)
    expect(await base.deliveries()).toEqual(before)
  })
})

describe('the loss of access', () => {
  test('drops only pending deliveries of the app in the workspace', async () => {
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
    const { client_id: otherClientId } = await crm.operator.createApp({ ...APP, name: 'Another' })
    await crm.operator.createToken({ workspace: 'acme', client_id: otherClientId, user_email: BEN.email })
    await crm.operator.createToken({ workspace: 'other', client_id, user_email: 'sam@other.example' })
    const unaffected = [
      await insertDelivery(await subscribe({ client_id: otherClientId })),
      await insertDelivery(await subscribe({ client_id: null })),
      await insertDelivery(webhook, { status: 'delivered', due_at: null }),
      await insertDelivery(webhook, { status: 'dropped', reason: 'retries_exhausted', due_at: null }),
    ]
    const otherWorkspace = inWorkspace(otherOwner.workspaceId)
    const otherDelivery = await otherWorkspace.insertDelivery(await otherWorkspace.subscribe())
    clock.advance(1)
    await revoke()
    expect((await deliveries()).slice(2)).toEqual(unaffected)
    expect(await otherWorkspace.deliveries()).toEqual([otherDelivery])
  })

  test('is rolled back with its transaction', async () => {
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

  test('drops a delivery being sent and ignores its later outcome', async () => {
    const { revoke, saveOutcomes, sendings, deliveries } = await withPending()
    await revoke()
    const before = await deliveries()
    await saveOutcomes(sendings)
    expect(await deliveries()).toEqual(before)
  })

  test('does not apply an old outcome to a redelivery after access was restored', async () => {
    const {
      revoke,
      saveOutcomes,
      claim,
      sendings,
      deliveries,
      codeFor,
      exchange,
      crm,
      ann,
      client_id,
      webhook,
    } = await withPending()
    await revoke()
    await exchange(await codeFor())
    const actor = { ...ann, clientId: client_id, scopes: new Set(['webhooks:manage']) }
    await crm.webhooks.redeliver(actor, webhook.id, sendings[0]!.id)
    await saveOutcomes(sendings)
    expect((await deliveries())[0]).toMatchObject({ status: 'pending', attempts_count: 0 })
    const secondClaim = await claim()
    expect(secondClaim).toMatchObject([{ id: sendings[0]!.id, lease: 2 }])
    await saveOutcomes(sendings)
    await saveOutcomes(secondClaim)
    expect((await deliveries())[0]).toMatchObject({ status: 'delivered', attempts_count: 1 })
  })

  test('locks deliveries in the order of saveOutcomes, across webhooks', async () => {
    const base = await createDeliveryWorker()
    const { storage, subscribe, insertDelivery, revoke } = base
    const webhooks = [await subscribe(), await subscribe()]
    const insertedIds: string[] = []
    for (let nth = 0; nth < 4; nth += 1) insertedIds.push((await insertDelivery(webhooks[nth % 2]!)).id)
    const lockedIds: string[] = []
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
                lockedIds.push(deliveryId)
                return deliveries.getForUpdate(deliveryId)
              }
              return { ...stores, deliveries: { ...deliveries, getForUpdate } }
            },
          }),
        ),
    })
    await revoke()
    expect(lockedIds).toEqual(insertedIds.toSorted())
  })

  test('drops a thousand deliveries across webhooks at once, and the rest when claimed', async () => {
    const { storage, ann, pending, ports, revoke, deliveries, claim, subscribe } = await withPending()
    const webhookIds = [pending.webhook_id, (await subscribe()).id]
    const more = Array.from({ length: 1010 }, (_, nth) => ({
      ...pending,
      id: ports.newId(),
      webhook_id: webhookIds[nth % 2]!,
      created_at: new Date(Date.parse(NOON) + nth).toISOString(),
    }))
    await storage.transact((tx) => tx.workspace(ann.workspaceId).deliveries.insertMany(more))
    await revoke()
    const listPending = async () => (await deliveries()).filter(({ status }) => status === 'pending')
    expect(await listPending()).toHaveLength(12)
    expect(await claim()).toEqual([])
    expect(await listPending()).toEqual([])
    expect(new Set((await deliveries()).map(({ reason }) => reason))).toEqual(new Set(['access_revoked']))
  })
})

describe('deletion of a webhook', () => {
  const buildActor = ({ ann, client_id }: Base) => ({
    ...ann,
    clientId: client_id,
    scopes: new Set(['webhooks:manage']),
  })

  test('deletes its pending deliveries, also those being sent, and nothing else', async () => {
    const base = await withPending()
    const {
      crm,
      webhook,
      subscribe,
      insertDelivery,
      deliveries,
      inWorkspace,
      otherOwner,
      saveOutcomes,
      sendings,
    } = base
    const finished = { due_at: null, sending: false } as const
    const unaffected = [
      await insertDelivery(webhook, { ...finished, status: 'delivered' }),
      await insertDelivery(webhook, { ...finished, status: 'dropped', reason: 'retries_exhausted' }),
      await insertDelivery(await subscribe()),
    ]
    const otherDelivery = await inWorkspace(otherOwner.workspaceId).insertDelivery(webhook)
    await crm.webhooks.remove(buildActor(base), webhook.id)
    expect(await deliveries()).toEqual(unaffected)
    expect(await inWorkspace(otherOwner.workspaceId).deliveries()).toEqual([otherDelivery])
    await saveOutcomes(sendings)
    expect(await deliveries()).toEqual(unaffected)
  })

  test('that fails or is rolled back deletes nothing', async () => {
    const base = await withPending()
    const before = await base.deliveries()
    await catchRejection(base.crm.webhooks.remove(buildActor(base), UNKNOWN_ID))
    await catchRejection(
      base.crm.webhooks.remove({ ...buildActor(base), clientId: UNKNOWN_ID }, base.webhook.id),
    )
    const { transact } = base.storage
    Object.assign(base.storage, {
      transact: (work: Parameters<typeof transact>[0]) =>
        transact(async (tx) => {
          await work(tx)
          throw new Error('no')
        }),
    })
    await expect(base.crm.webhooks.remove(buildActor(base), base.webhook.id)).rejects.toThrow('no')
    expect(await base.deliveries()).toEqual(before)
  })

  test('deletes a thousand deliveries at once, and the rest when claimed', async () => {
    const base = await withPending()
    const { storage, ann, webhook, pending, ports, crm, deliveries, claim } = base
    const more = Array.from({ length: 1010 }, () => ({ ...pending, id: ports.newId() }))
    await storage.transact((tx) => tx.workspace(ann.workspaceId).deliveries.insertMany(more))
    await crm.webhooks.remove(buildActor(base), webhook.id)
    expect(await deliveries()).toHaveLength(12)
    expect(await claim({ quota: () => 0 })).toEqual([])
    expect(await deliveries()).toEqual([])
  })
})
