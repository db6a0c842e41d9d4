import { conflict, forbidden, notFound, validationError } from '@sales-crm/core'
import {
  deliveryQuery,
  itemResponse,
  listResponse,
  querySchema,
  responseSchemas,
} from '@sales-crm/core/declarations'
import * as v from 'valibot'
import { BODY_ERRORS, INVALID_PAGING } from './body-errors.ts'
import type { Operation, Param } from './operation.ts'
import type { RecordDocument } from './record-operations.ts'

/** Body schema of operations without input. */
export const EMPTY_OBJECT = v.object({})

const ID: Param = {
  description: "The webhook's id.",
  isId: true,
  example: '01a1fc31-2a11-7b7e-9d0c-55b1c0a3d9e4',
}
const DELIVERY_ID: Param = {
  description: "The delivery's id.",
  isId: true,
  example: '01a1fc31-2b03-7c52-8e7a-0b9d6f41c2aa',
}
const DELIVERY = { name: 'DeliveryResponse', schema: itemResponse(responseSchemas.deliveries.detail) }
const WEBHOOK = { name: 'WebhookResponse', schema: itemResponse(responseSchemas.webhooks.item) }
const WEBHOOK_NOT_FOUND = notFound('Webhook')
const DELIVERY_NOT_FOUND = notFound('Delivery')
export const EMPTY_BODY = { name: 'Nothing', schema: EMPTY_OBJECT, optional: true } as const
const NOT_EMPTY_ERROR = validationError({ event: 'Unknown field.' })
/** Of webhooks of the console only. */
const CONSOLE_ERRORS = [
  forbidden('update', 'webhook'),
  conflict('id', 'The webhook is stopped: its creator is no owner or admin. An owner can take it over.'),
]
const SECRET_NOTE = 'The `webhook_secret` is returned only once, when it is created.'

export const WEBHOOKS: RecordDocument = {
  ...{ name: 'Webhook', plural: 'Webhooks', label: 'Webhook', pluralLabel: 'webhooks', tag: 'Webhooks' },
  responses: { item: responseSchemas.webhooks.item, detail: responseSchemas.webhooks.item },
  writeResponse: { name: 'WebhookWithSecret', detail: responseSchemas.webhooks.detail },
  query: querySchema(['created_at'], {}),
  fieldErrors: { url: 'Must be an https URL.', 'events[0]': 'Unknown event. Did you mean "deal.won"?' },
  ...{ dependsOnRole: true, readDependsOnRole: true, hasSecret: true },
  idParameter: ID,
  descriptions: {
    list:
      'All webhooks that the app created in the workspace, on behalf of any user. Those of the console are for owners ' +
      'and admins.',
    create: `${SECRET_NOTE} An app has at most 50 webhooks in a workspace.`,
    update: `Changes only the fields in the body; none may be \`null\`. ${SECRET_NOTE}`,
    remove: 'The webhook cannot be restored. Its pending deliveries are dropped.',
  },
}

export const LIST_DELIVERIES: Operation = {
  id: 'listDeliveries',
  tag: 'Webhooks',
  summary: 'List deliveries',
  description: 'Pending deliveries and those of the last 30 days. Omits `attempts` and `body`.',
  params: { id: ID },
  query: deliveryQuery,
  success: {
    status: 200,
    description: 'A page of deliveries.',
    response: { name: 'DeliveryPage', schema: listResponse(responseSchemas.deliveries.item) },
  },
  errors: [INVALID_PAGING, WEBHOOK_NOT_FOUND, forbidden('read', 'webhook')],
}

export const GET_DELIVERY: Operation = {
  id: 'getDelivery',
  tag: 'Webhooks',
  summary: 'Retrieve a delivery',
  description: 'Includes the attempts and the exact request body.',
  params: { id: ID, delivery_id: DELIVERY_ID },
  success: {
    status: 200,
    description: 'The delivery with its latest attempts and its body.',
    response: DELIVERY,
  },
  errors: [WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND, forbidden('read', 'webhook')],
}

export const REDELIVER: Operation = {
  id: 'redeliver',
  tag: 'Webhooks',
  summary: 'Redeliver',
  description:
    'Attempts the delivery now, with the same id and body. A finished delivery gets one more attempt; ' +
    'a pending one is attempted ahead of schedule.',
  params: { id: ID, delivery_id: DELIVERY_ID },
  body: EMPTY_BODY,
  success: { status: 200, description: 'The delivery.', response: DELIVERY },
  errors: [...BODY_ERRORS, NOT_EMPTY_ERROR, WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND, ...CONSOLE_ERRORS],
}

export const TAKE_WEBHOOK_OVER: Operation = {
  id: 'takeWebhookOver',
  tag: 'Webhooks',
  summary: 'Take a webhook over',
  description:
    'Makes the caller, an owner, the creator of a webhook of the console. It delivers again if it was stopped, which ' +
    'happens when its creator leaves the workspace or is no owner or admin any more.',
  params: { id: ID },
  body: EMPTY_BODY,
  success: { status: 200, description: 'The webhook.', response: WEBHOOK },
  errors: [...BODY_ERRORS, NOT_EMPTY_ERROR, WEBHOOK_NOT_FOUND, forbidden('update', 'webhook')],
}

export const TEST_WEBHOOK: Operation = {
  id: 'testWebhook',
  tag: 'Webhooks',
  summary: 'Send a test event',
  description: 'Sends the event `webhook.test` to this webhook only.',
  params: { id: ID },
  body: EMPTY_BODY,
  success: { status: 201, description: 'The pending delivery.', response: DELIVERY },
  errors: [...BODY_ERRORS, NOT_EMPTY_ERROR, WEBHOOK_NOT_FOUND, ...CONSOLE_ERRORS],
}
