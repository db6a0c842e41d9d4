import { type Actor, authorize } from '../actor.ts'
import { notFound } from '../errors.ts'
import type { Instant, Ports } from '../ports.ts'
import { isUuid, oneOf } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import { metaOf, querySchema } from '../records/query.ts'
import { type Unit, unitOf } from '../records/unit.ts'
import { DELIVERY_STATUSES, type Delivery } from './delivery.ts'
import { newDelivery } from './emit.ts'
import { MANAGE, ownWebhook, READ } from './own-webhook.ts'
import { type Webhook, webhookView } from './webhook.ts'
import type { DeliveryDetail, DeliveryItem, WebhookApi } from './webhook-api.ts'

const listQuery = querySchema(['created_at'], { status: { schema: oneOf(DELIVERY_STATUSES) } })

/** What an app sees of the deliveries to its webhooks, and those it causes itself. */
export function deliveryLog({
  storage,
  now,
  newId,
}: Pick<Ports, 'storage' | 'now' | 'newId'>): Pick<WebhookApi, 'deliveries' | 'delivery' | 'redeliver' | 'test'> {
  return {
    async deliveries(actor, id, query = {}) {
      authorize(actor, MANAGE, READ)
      const { page, per_page, order, status } = validate(listQuery, query, 'parameter')
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
        const { delivery } = await ownDelivery(actor, { id, deliveryId }, unitOf(tx, actor.workspaceId), 'get')
        return detailOf(delivery)
      })
    },

    async redeliver(actor, id, deliveryId) {
      authorize(actor, MANAGE)
      return storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const { webhook, delivery } = await ownDelivery(actor, { id, deliveryId }, unit, 'getForUpdate')
        const after = dueNow(delivery, webhook, now())
        if (after !== delivery) await unit.stores.deliveries.update(after, delivery)
        // What is due already may wait for no more than to be looked at.
        unit.wake()
        return detailOf(after)
      })
    },

    async test(actor, id) {
      authorize(actor, MANAGE)
      return storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const webhook = await ownWebhook(actor, id, unit, 'get')
        const entity = JSON.stringify({ webhook: webhookView(webhook) }).slice(1)
        const delivery = newDelivery(webhook, { id: newId(), event: 'webhook.test', entity, at: now() })
        await unit.stores.deliveries.insert(delivery)
        unit.wake()
        return detailOf(delivery)
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
): Promise<{ readonly webhook: Webhook; readonly delivery: Delivery }> {
  const webhook = await ownWebhook(actor, id, unit, 'get')
  const delivery = isUuid(deliveryId) ? await unit.stores.deliveries[how](deliveryId.toLowerCase()) : undefined
  if (delivery?.webhook_id !== webhook.id) throw notFound('Delivery')
  return { webhook, delivery }
}

/** What is over has one attempt more; what waits has its next one now; what is being tried stays as it is. */
function dueNow(delivery: Delivery, { host }: Pick<Webhook, 'host'>, at: Instant): Delivery {
  const { status, sending, due_at } = delivery
  if (status !== 'pending') return { ...delivery, host, status: 'pending', reason: null, due_at: at, last_attempt: true, updated_at: at }
  if (sending || due_at === null || due_at <= at) return delivery
  return { ...delivery, host, due_at: at, updated_at: at }
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

function detailOf(delivery: Delivery): DeliveryDetail {
  const { attempts, body } = delivery
  return { ...itemOf(delivery), attempts, body }
}
