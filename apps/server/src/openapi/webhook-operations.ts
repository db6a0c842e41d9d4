import { answers, deliveryQuery, invalid, listAnswer, notFound, oneAnswer, querySchema } from '@sales-crm/core'
import * as v from 'valibot'
import { BODY_ERRORS, PAGING } from './body-errors.ts'
import type { Operation, Param } from './operation.ts'
import type { Kind } from './record-operations.ts'

/** What operations take that take nothing. */
export const NOTHING = v.object({})

const ID: Param = { description: "The webhook's id.", isId: true, example: '01a1fc31-2a11-7b7e-9d0c-55b1c0a3d9e4' }
const DELIVERY_ID: Param = { description: "The delivery's id.", isId: true, example: '01a1fc31-2b03-7c52-8e7a-0b9d6f41c2aa' }
const DELIVERY = { name: 'DeliveryAnswer', schema: oneAnswer(answers.deliveries.detail) }
const NO_WEBHOOK = notFound('Webhook')
const NO_DELIVERY = notFound('Delivery')
const EMPTY = { name: 'Nothing', schema: NOTHING, optional: true } as const
const NOT_EMPTY = invalid({ event: 'Unknown field.' })
const SECRET_SHOWN = 'The `webhook_secret` is answered once, when it is made, and cannot be read again.'

export const WEBHOOKS: Kind = {
  ...{ name: 'Webhook', plural: 'Webhooks', label: 'Webhook', many: 'webhooks', tag: 'Webhooks' },
  answers: { item: answers.webhooks.item, detail: answers.webhooks.item },
  written: { name: 'WebhookWithSecret', detail: answers.webhooks.detail },
  query: querySchema(['created_at'], {}),
  faults: { url: 'Must be an https URL.', 'events[0]': 'Unknown event. Did you mean "deal.won"?' },
  byRole: false,
  addressed: ID,
  notes: {
    list: 'Those that the app made in the workspace, whoever it acted for.',
    create: `${SECRET_SHOWN} An app has at most 50 webhooks in a workspace.`,
    update: `Only the fields that are sent change; none can be \`null\`. ${SECRET_SHOWN}`,
    remove: 'It is gone for good, and what is on its way is not sent any more.',
  },
}

export const LIST_DELIVERIES: Operation = {
  id: 'listDeliveries',
  tag: 'Webhooks',
  summary: 'List deliveries',
  description: 'What was sent in the last 30 days, and what is about to be. Leaves out `attempts` and `body`.',
  params: { id: ID },
  query: deliveryQuery,
  success: {
    status: 200,
    description: 'A page of deliveries.',
    answer: { name: 'DeliveryPage', schema: listAnswer(answers.deliveries.item) },
  },
  errors: [PAGING, NO_WEBHOOK],
}

export const GET_DELIVERY: Operation = {
  id: 'getDelivery',
  tag: 'Webhooks',
  summary: 'Read a delivery',
  description: 'With its attempts, and with what is sent, to the byte.',
  params: { id: ID, delivery_id: DELIVERY_ID },
  success: { status: 200, description: 'The delivery, with its latest attempts and its body.', answer: DELIVERY },
  errors: [NO_WEBHOOK, NO_DELIVERY],
}

export const REDELIVER: Operation = {
  id: 'redeliver',
  tag: 'Webhooks',
  summary: 'Deliver again',
  description: 'Has it tried now, with the same id and body: once where it was over, and ahead of time where it waits.',
  params: { id: ID, delivery_id: DELIVERY_ID },
  body: EMPTY,
  success: { status: 200, description: 'The delivery as it is now.', answer: DELIVERY },
  errors: [...BODY_ERRORS, NOT_EMPTY, NO_WEBHOOK, NO_DELIVERY],
}

export const TEST_WEBHOOK: Operation = {
  id: 'testWebhook',
  tag: 'Webhooks',
  summary: 'Send a test event',
  description: 'Sends `webhook.test` to this webhook alone.',
  params: { id: ID },
  body: EMPTY,
  success: { status: 201, description: 'The delivery, on its way.', answer: DELIVERY },
  errors: [...BODY_ERRORS, NOT_EMPTY, NO_WEBHOOK],
}
