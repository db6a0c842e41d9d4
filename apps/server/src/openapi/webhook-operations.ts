import {
  deliveryQuery,
  itemResponse,
  listResponse,
  notFound,
  querySchema,
  responseSchemas,
  validationError,
} from '@sales-crm/core'
import * as v from 'valibot'
import { BODY_ERRORS, INVALID_PAGING } from './body-errors.ts'
import type { Operation, Param } from './operation.ts'
import type { RecordKind } from './record-operations.ts'

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
const DELIVERY = { name: 'DeliveryAnswer', schema: itemResponse(responseSchemas.deliveries.detail) }
const WEBHOOK_NOT_FOUND = notFound('Webhook')
const DELIVERY_NOT_FOUND = notFound('Delivery')
const EMPTY_BODY = { name: 'Nothing', schema: EMPTY_OBJECT, optional: true } as const
const NOT_EMPTY_ERROR = validationError({ event: 'Unknown field.' })
const SECRET_NOTE = 'The `webhook_secret` is answered once, when it is made, and cannot be read again.'

export const WEBHOOKS: RecordKind = {
  ...{ name: 'Webhook', plural: 'Webhooks', label: 'Webhook', pluralLabel: 'webhooks', tag: 'Webhooks' },
  responses: { item: responseSchemas.webhooks.item, detail: responseSchemas.webhooks.item },
  writeResponse: { name: 'WebhookWithSecret', detail: responseSchemas.webhooks.detail },
  query: querySchema(['created_at'], {}),
  fieldErrors: { url: 'Must be an https URL.', 'events[0]': 'Unknown event. Did you mean "deal.won"?' },
  dependsOnRole: false,
  idParameter: ID,
  descriptions: {
    list: 'Those that the app made in the workspace, whoever it acted for.',
    create: `${SECRET_NOTE} An app has at most 50 webhooks in a workspace.`,
    update: `Only the fields that are sent change; none can be \`null\`. ${SECRET_NOTE}`,
    remove: 'It is gone for good, and what is on its way is not sent any more.',
  },
}

export const LIST_DELIVERIES: Operation = {
  id: 'listDeliveries',
  tag: 'Webhooks',
  summary: 'List deliveries',
  description:
    'What was sent in the last 30 days, and what is about to be. Leaves out `attempts` and `body`.',
  params: { id: ID },
  query: deliveryQuery,
  success: {
    status: 200,
    description: 'A page of deliveries.',
    response: { name: 'DeliveryPage', schema: listResponse(responseSchemas.deliveries.item) },
  },
  errors: [INVALID_PAGING, WEBHOOK_NOT_FOUND],
}

export const GET_DELIVERY: Operation = {
  id: 'getDelivery',
  tag: 'Webhooks',
  summary: 'Read a delivery',
  description: 'With its attempts, and with what is sent, to the byte.',
  params: { id: ID, delivery_id: DELIVERY_ID },
  success: {
    status: 200,
    description: 'The delivery, with its latest attempts and its body.',
    response: DELIVERY,
  },
  errors: [WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND],
}

export const REDELIVER: Operation = {
  id: 'redeliver',
  tag: 'Webhooks',
  summary: 'Deliver again',
  description:
    'Has it tried now, with the same id and body: once where it was over, and ahead of time where it waits.',
  params: { id: ID, delivery_id: DELIVERY_ID },
  body: EMPTY_BODY,
  success: { status: 200, description: 'The delivery as it is now.', response: DELIVERY },
  errors: [...BODY_ERRORS, NOT_EMPTY_ERROR, WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND],
}

export const TEST_WEBHOOK: Operation = {
  id: 'testWebhook',
  tag: 'Webhooks',
  summary: 'Send a test event',
  description: 'Sends `webhook.test` to this webhook alone.',
  params: { id: ID },
  body: EMPTY_BODY,
  success: { status: 201, description: 'The delivery, on its way.', response: DELIVERY },
  errors: [...BODY_ERRORS, NOT_EMPTY_ERROR, WEBHOOK_NOT_FOUND],
}
