import { type Actor, authorize } from '../actor.ts'
import { notFound } from '../errors.ts'
import type { Instant, Ports } from '../ports.ts'
import { isUuid, oneOf } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import { metaOf, querySchema } from '../records/query.ts'
import { type Unit, unitOf } from '../records/unit.ts'
import { DELIVERY_STATUSES, type Delivery } from './delivery.ts'
import { outgoing } from './emit.ts'
import { MANAGE, ownWebhook, READ } from './own-webhook.ts'
import { bodyOf, type Snapshot } from './snapshot.ts'
import { webhookView } from './webhook.ts'
import type { DeliveryDetail, DeliveryItem, WebhookApi } from './webhook-api.ts'

export const deliveryQuery = querySchema(['created_at'], { status: { schema: oneOf(DELIVERY_STATUSES) } })

/** What an app sees of the deliveries to its webhooks, and those it causes itself. */
export function deliveryLog({
  storage,
  now,
  newId,
}: Pick<Ports, 'storage' | 'now' | 'newId'>): Pick<WebhookApi, 'deliveries' | 'delivery' | 'redeliver' | 'test'> {
  return {
    async deliveries(actor, id, query = {}) {
      authorize(actor, MANAGE, READ)
      const { page, per_page, order, status } = validate(deliveryQuery, query, 'parameter')
      return storage.read(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const { id: is } = await ownWebhook(actor, id, unit, 'get')
        const where = [{ field: 'webhook_id', is } as const, ...(status === undefined ? [] : [{ field: 'status', is: status } as const])]
        const { rows, total } = await unit.stores.deliveries.list({ page, per_page, order, order_by: 'created_at', where })
        return { data: rows.map(itemOf), meta: metaOf({ page, per_page }, total) }
      })
    },

    async delivery(actor, id, deliveryId) {
      authorize(actor, MANAGE, READ)
      return storage.read(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const delivery = await ownDelivery(actor, { id, deliveryId }, unit, 'get')
        return detailIn(unit, delivery)
      })
    },

    async redeliver(actor, id, deliveryId) {
      authorize(actor, MANAGE)
      return storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const delivery = await ownDelivery(actor, { id, deliveryId }, unit, 'getForUpdate')
        const after = dueNow(delivery, now())
        if (after !== delivery) await unit.stores.deliveries.update(after, delivery)
        // What is due already may wait for no more than to be looked at.
        unit.wake()
        return detailIn(unit, after)
      })
    },

    async test(actor, id) {
      authorize(actor, MANAGE)
      return storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const webhook = await ownWebhook(actor, id, unit, 'get')
        const to = [{ webhook_id: webhook.id, event: 'webhook.test' }]
        const { snapshot, deliveries } = outgoing({ snapshot: { webhook: webhookView(webhook) }, to }, { at: now(), newId })
        await Promise.all([unit.stores.snapshots.insert(snapshot), unit.stores.deliveries.insertMany(deliveries)])
        unit.wake()
        return detailOf(deliveries[0]!, snapshot)
      })
    },
  }
}

/** @throws CrmError `not_found`, naming what is not there or not the app's */
async function ownDelivery(
  actor: Actor,
  { id, deliveryId }: { readonly id: string; readonly deliveryId: string },
  unit: Unit,
  how: 'get' | 'getForUpdate',
): Promise<Delivery> {
  const webhook = await ownWebhook(actor, id, unit, 'get')
  const delivery = isUuid(deliveryId) ? await unit.stores.deliveries[how](deliveryId.toLowerCase()) : undefined
  if (delivery?.webhook_id !== webhook.id) throw notFound('Delivery')
  return delivery
}

/** What is over has one attempt more; what waits has its next one now; what is being tried stays as it is. */
function dueNow(delivery: Delivery, at: Instant): Delivery {
  const { status, sending, due_at } = delivery
  if (status !== 'pending') return { ...delivery, status: 'pending', reason: null, due_at: at, last_attempt: true, updated_at: at }
  if (sending || due_at === null || due_at <= at) return delivery
  return { ...delivery, due_at: at, updated_at: at }
}

function itemOf({
  id,
  webhook_id,
  event,
  status,
  reason,
  attempts_count,
  due_at,
  sending,
  created_at,
  updated_at,
}: Delivery): DeliveryItem {
  return { id, webhook_id, event, status, reason, attempts_count, next_attempt_at: sending ? null : due_at, created_at, updated_at }
}

async function detailIn({ stores }: Unit, delivery: Delivery): Promise<DeliveryDetail> {
  return detailOf(delivery, (await stores.snapshots.get(delivery.snapshot_id))!)
}

function detailOf(delivery: Delivery, snapshot: Snapshot): DeliveryDetail {
  return { ...itemOf(delivery), attempts: delivery.attempts, body: bodyOf(delivery, snapshot) }
}
