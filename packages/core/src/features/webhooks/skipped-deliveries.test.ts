import { describe, expect, test } from 'vitest'
import {
  createDeliveryWorker,
  createPendingDelivery,
  type PendingDelivery,
} from '../../../test/delivery-harness.ts'
import { NOON } from '../../../test/harness.ts'
import type { DeliveryQueue } from '../../ports/index.ts'

const revokedAt = { revoked_at: NOON, refresh_hash: null }

/** As if it happened elsewhere at the same time, so that nothing was dropped with it. */
function changeGrants({ storage, ann }: PendingDelivery, change: object): Promise<void> {
  return storage.transact(async (tx) => {
    const { grants } = tx.workspace(ann.workspaceId)
    for (const grant of await grants.find([])) await grants.update({ ...grant, ...change })
  })
}

const LEFT_OUT: readonly (readonly [string, (base: PendingDelivery) => Promise<unknown>])[] = [
  [
    'is gone',
    ({ storage, ann, webhook }) =>
      storage.transact((tx) => tx.workspace(ann.workspaceId).webhooks.hardDelete(webhook.id)),
  ],
  ['is told nothing any more', (base) => changeGrants(base, revokedAt)],
  [
    'has a secret that cannot be opened',
    ({ changeWebhook, webhook }) => changeWebhook(webhook, { sealed_secret: 'none' }),
  ],
]

describe('what a claim leaves out, since its webhook', () => {
  test.each(LEFT_OUT)(
    '%s, keeps nobody waiting behind it: whoever claims is woken once',
    async (_, change) => {
      const base = await createPendingDelivery()
      const { insertDelivery, subscribe, webhook, clock, claim, countNotifications } = base
      for (let nth = 0; nth < 3; nth += 1) await insertDelivery(webhook)
      await change(base)
      clock.advance(1)
      const other = await insertDelivery(await subscribe({ client_id: null }))
      const woken = countNotifications()
      // As if it took all the room there is.
      const share = ({ webhook_id, dueCount: waiting }: DeliveryQueue) =>
        webhook_id === webhook.id ? waiting : 0
      expect(await claim({ quota: share })).toEqual([])
      expect(woken.times).toBe(1)
      expect((await claim()).map(({ id }) => id)).toEqual([other.id])
      expect(woken.times).toBe(1)
    },
  )

  test('is nothing where all is sent, and nobody is woken', async () => {
    const { claim, countNotifications } = await createPendingDelivery()
    const woken = countNotifications()
    expect(await claim()).toHaveLength(1)
    expect(await claim()).toEqual([])
    expect(woken.times).toBe(0)
  })
})

describe('an app without access', () => {
  test('is told nothing, and what waits for it is dropped', async () => {
    const base = await createPendingDelivery()
    const { ann, webhook, delivery } = base
    await changeGrants(base, revokedAt)
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

  test('that was let in again in time is told', async () => {
    const base = await createPendingDelivery()
    await changeGrants(base, revokedAt)
    await base.exchange(await base.codeFor())
    expect(await base.claim()).toMatchObject([{ id: base.delivery.id }])
  })

  test('is none whose tokens were not used for too long', async () => {
    const base = await createPendingDelivery()
    base.clock.set('2026-06-01T12:00:00.000Z')
    expect(await base.claim()).toMatchObject([{ id: base.delivery.id }])
  })

  test('in one workspace is told of another', async () => {
    const base = await createPendingDelivery()
    const there = base.inWorkspace(base.otherOwner.workspaceId)
    const delivery = await there.insertDelivery(await there.subscribe())
    expect(await base.claim()).toMatchObject([{ id: base.delivery.id }])
    expect(await there.deliveries()).toMatchObject([
      { id: delivery.id, status: 'dropped', reason: 'access_revoked' },
    ])
  })

  test.each([null, 'an embedding program'])('is none where the webhook is made by %s', async (client_id) => {
    const { claim, inWorkspace, otherOwner } = await createDeliveryWorker()
    const { insertDelivery, subscribe } = inWorkspace(otherOwner.workspaceId)
    const { id } = await insertDelivery(await subscribe({ client_id }))
    expect(await claim()).toMatchObject([{ id, signature: undefined }])
  })
})
