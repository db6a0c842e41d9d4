import * as v from 'valibot'
import { ATTEMPT_ERRORS, type Attempt, DELIVERY_STATUSES, DROP_REASONS } from '../webhooks/delivery.ts'
import { EVENT_NAMES } from '../webhooks/event-names.ts'
import type { WebhookView } from '../webhooks/webhook.ts'
import type { DeliveryDetail, DeliveryItem, WebhookMade } from '../webhooks/webhook-api.ts'
import { answerOf, count, instant, instantOrNone, text, textOrNone, uuid } from './answer.ts'

const webhookFields = {
  id: uuid,
  url: text,
  events: v.array(v.picklist(EVENT_NAMES)),
  auth_enable: v.boolean(),
  created_at: instant,
  updated_at: instant,
}
export const webhook = answerOf<WebhookView>()(webhookFields)
/** The one answer that shows the secret. */
export const webhookMade = v.strictObject({
  ...webhookFields,
  webhook_secret: v.exactOptional(text),
}) satisfies v.GenericSchema<WebhookMade>

export const attempt = answerOf<Attempt>()({
  created_at: instant,
  duration_ms: count,
  status: v.nullable(count),
  error: v.nullable(v.picklist(ATTEMPT_ERRORS)),
  response: textOrNone,
})

const deliveryFields = {
  id: uuid,
  webhook_id: uuid,
  event: text,
  status: v.picklist(DELIVERY_STATUSES),
  reason: v.nullable(v.picklist(DROP_REASONS)),
  attempts_count: count,
  next_attempt_at: instantOrNone,
  created_at: instant,
  updated_at: instant,
}
export const deliveryItem = answerOf<DeliveryItem>()(deliveryFields)
export const deliveryDetail = answerOf<DeliveryDetail>()({ ...deliveryFields, attempts: v.array(attempt), body: text })
