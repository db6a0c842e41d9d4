import * as v from 'valibot'
import type { DeliveryDetail, DeliveryItem } from '../features/webhooks/delivery-log.ts'
import type { CreatedWebhook } from '../features/webhooks/save-webhook.ts'
import type { WebhookView } from '../features/webhooks/webhook.ts'
import {
  countResponse as count,
  instantResponse as instant,
  responseSchema,
  textResponse as text,
  uuidResponse as uuid,
} from '../kernel/response-schemas.ts'
import { ATTEMPT_ERRORS, type Attempt, DELIVERY_STATUSES, DROP_REASONS } from '../schema/delivery.ts'
import { EVENT_NAMES } from '../schema/events.ts'
import { owner } from './settings-responses.ts'

const webhookFields = {
  id: uuid,
  url: text,
  events: v.array(v.picklist(EVENT_NAMES)),
  auth_enable: v.boolean(),
  creator: v.exactOptional(v.nullable(owner)),
  stopped: v.exactOptional(v.boolean()),
  created_at: instant,
  updated_at: instant,
}
export const webhook = responseSchema<WebhookView>()(webhookFields)
/** The only response with the secret. */
export const webhookWithSecret = v.strictObject({
  ...webhookFields,
  webhook_secret: v.exactOptional(text),
}) satisfies v.GenericSchema<CreatedWebhook>

export const attempt = responseSchema<Attempt>()({
  created_at: instant,
  duration_ms: count,
  status: v.nullable(count),
  error: v.nullable(v.picklist(ATTEMPT_ERRORS)),
  response: v.nullable(text),
})

const deliveryFields = {
  id: uuid,
  webhook_id: uuid,
  event: text,
  status: v.picklist(DELIVERY_STATUSES),
  reason: v.nullable(v.picklist(DROP_REASONS)),
  attempts_count: count,
  next_attempt_at: v.nullable(instant),
  created_at: instant,
  updated_at: instant,
}
export const deliveryItem = responseSchema<DeliveryItem>()(deliveryFields)
export const deliveryDetail = responseSchema<DeliveryDetail>()({
  ...deliveryFields,
  attempts: v.array(attempt),
  body: text,
})
