import { describe, expect, test } from 'vitest'
import {
  createDeliveryWorker,
  createPendingDelivery,
  type PendingDelivery,
} from '../../../test/delivery-harness.ts'
import { NOON } from '../../../test/harness.ts'
import type { DeliveryQueue } from '../../ports/index.ts'

const REVOKED = { revoked_at: NOON, refresh_hash: null }

/** Changes grants directly, as a concurrent process would, without dropping deliveries. */
function changeGrants({ storage, ann }: PendingDelivery, change: object): Promise<void> {
  return storage.transact(async (tx) => {
    const { grants } = tx.workspace(ann.workspaceId)
    for (const grant of await grants.find([])) await grants.update({ ...grant, ...change })
  })
}

const SKIP_REASONS: readonly (readonly [string, (base: PendingDelivery) => Promise<unknown>])[] = [
  [
    'was deleted',
    ({ storage, ann, webhook }) =>
      storage.transact((tx) => tx.workspace(ann.workspaceId).webhooks.hardDelete(webhook.id)),
  ],
  ['lost its access', (base) => changeGrants(base, REVOKED)],
  [
    'has a secret that cannot be opened',
    ({ changeWebhook, webhook }) => changeWebhook(webhook, { sealed_secret: 'none' }),
  ],
]

describe('deliveries skipped by a claim', () => {
  test.each(SKIP_REASONS)(
    'because the webhook %s do not delay others: the workers are notified once',
    async (_, change) => {
      const base = await createPendingDelivery()
      const { insertDelivery, subscribe, webhook, clock, claim, countNotifications } = base
      for (let nth = 0; nth < 3; nth += 1) await insertDelivery(webhook)
      await change(base)
      clock.advance(1)
      const other = await insertDelivery(await subscribe({ client_id: null }))
      const notifications = countNotifications()
      // The skipped deliveries take the whole quota.
      const quota = ({ webhook_id, dueCount }: DeliveryQueue) => (webhook_id === webhook.id ? dueCount : 0)
      expect(await claim({ quota })).toEqual([])
      expect(notifications.count).toBe(1)
      expect((await claim()).map(({ id }) => id)).toEqual([other.id])
      expect(notifications.count).toBe(1)
    },
  )

  test('cause no notification if none are skipped', async () => {
    const { claim, countNotifications } = await createPendingDelivery()
    const notifications = countNotifications()
    expect(await claim()).toHaveLength(1)
    expect(await claim()).toEqual([])
    expect(notifications.count).toBe(0)
  })
})

describe('an app without access', () => {
  test('receives nothing, and its pending deliveries are dropped', async () => {
    const base = await createPendingDelivery()
    const { ann, webhook, delivery } = base
    await changeGrants(base, REVOKED)
    base.clock.advance(60)
    expect(await base.claim()).toEqual([])
    expect(await base.deliveries()).toEqual([
      {
        ...base.delivery,
        status: 'dropped',
        reason: 'access_revoked',
        due_at: null,
        lease: 1,
        updated_at: '2026-03-01T12:01:00.000Z',
      },
    ])
    const { id, event } = delivery
    expect(base.drops).toEqual([
      { workspace_id: ann.workspaceId, webhook_id: webhook.id, id, event, reason: 'access_revoked' },
    ])
  })

  test('receives pending deliveries if access is restored in time', async () => {
    const base = await createPendingDelivery()
    await changeGrants(base, REVOKED)
    await base.exchange(await base.codeFor())
    expect(await base.claim()).toMatchObject([{ id: base.delivery.id }])
  })

  test('does not include an app whose tokens have expired', async () => {
    const base = await createPendingDelivery()
    base.clock.set('2026-06-01T12:00:00.000Z')
    expect(await base.claim()).toMatchObject([{ id: base.delivery.id }])
  })

  test('in one workspace still receives the events of another', async () => {
    const base = await createPendingDelivery()
    const otherWorkspace = base.inWorkspace(base.otherOwner.workspaceId)
    const delivery = await otherWorkspace.insertDelivery(await otherWorkspace.subscribe())
    expect(await base.claim()).toMatchObject([{ id: base.delivery.id }])
    expect(await otherWorkspace.deliveries()).toMatchObject([
      { id: delivery.id, status: 'dropped', reason: 'access_revoked' },
    ])
  })

  test.each([null, 'an embedding program'])(
    'does not include a webhook with the client_id %j',
    async (client_id) => {
      const { claim, inWorkspace, otherOwner } = await createDeliveryWorker()
      const { insertDelivery, subscribe } = inWorkspace(otherOwner.workspaceId)
      const { id } = await insertDelivery(await subscribe({ client_id }))
      expect(await claim()).toMatchObject([{ id, signature: undefined }])
    },
  )
})
