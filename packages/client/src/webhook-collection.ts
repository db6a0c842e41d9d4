import type { Delivery, DeliveryListItem, DeliveryQuery, Webhook } from './api-types.ts'
import type { CallOptions } from './call-options.ts'
import { encodeId } from './check.ts'
import type { RecordCalls } from './record-calls.ts'
import { createCollection, type RecordCollection } from './record-collection.ts'
import type { RecordList } from './record-list.ts'
import { type AllRecordTypes, RESOURCES } from './record-types.ts'

/**
 * The webhooks that the app created, and their deliveries. An `update` whose response is lost is not
 * repeated, because the response may have the only copy of a new `webhook_secret`.
 */
export interface WebhookCollection extends RecordCollection<AllRecordTypes['webhooks']> {
  /** Sends the event `webhook.test` to a webhook and returns the delivery. */
  test(id: string, options?: CallOptions): Promise<Delivery>
  /** Makes the caller, an owner, the creator of a webhook of the console, and returns it. */
  takeOver(id: string, options?: CallOptions): Promise<Webhook>
  /** The webhooks' deliveries, for a log and to attempt one again. */
  readonly deliveries: DeliveryCollection
}

/** The deliveries of a webhook: those of the last 30 days and the pending ones. */
export interface DeliveryCollection {
  /** Lists deliveries without their attempts and bodies. */
  list(webhookId: string, query?: DeliveryQuery, options?: CallOptions): RecordList<DeliveryListItem>
  /** Returns a delivery with its attempts and body. */
  get(webhookId: string, id: string, options?: CallOptions): Promise<Delivery>
  /** Attempts a delivery now, with the same id and body, and returns it. */
  redeliver(webhookId: string, id: string, options?: CallOptions): Promise<Delivery>
}

export function createWebhookCollection(calls: RecordCalls): WebhookCollection {
  const pathOf = (id: string) => `${RESOURCES.webhooks.path}/${encodeId('id', id)}`
  const deliveriesOf = (webhookId: string) =>
    `${RESOURCES.webhooks.path}/${encodeId('webhookId', webhookId)}/deliveries`
  const deliveryPath = (webhookId: string, id: string) => `${deliveriesOf(webhookId)}/${encodeId('id', id)}`
  return {
    ...createCollection<AllRecordTypes['webhooks']>(calls, RESOURCES.webhooks),
    test: async (id, options) => calls.post(`${pathOf(id)}/test`, {}, options),
    takeOver: async (id, options) => calls.post(`${pathOf(id)}/take-over`, {}, options),
    deliveries: {
      list: (webhookId, query, options) => calls.list(deliveriesOf(webhookId), query, options),
      get: async (webhookId, id, options) => calls.get(deliveryPath(webhookId, id), options),
      redeliver: async (webhookId, id, options) =>
        calls.post(`${deliveryPath(webhookId, id)}/redeliver`, {}, options),
    },
  }
}
