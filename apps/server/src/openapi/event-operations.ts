import { DELIVERED_EVENTS, type DeliveredEvent, envelopeName } from './event-envelopes.ts'

type Json = Readonly<Record<string, unknown>>

const TRIGGERS: Readonly<Record<DeliveredEvent, string>> = {
  'person.created': 'A person was made.',
  'person.updated': 'A person was changed.',
  'person.deleted': 'A person was deleted.',
  'company.created': 'A company was made.',
  'company.updated': 'A company was changed.',
  'company.deleted': 'A company was deleted.',
  'deal.created': 'A deal was made.',
  'deal.updated': 'A deal was changed.',
  'deal.stage_changed': 'A deal came into another stage. Beside `deal.updated`.',
  'deal.won': 'A deal came into a win stage. Beside `deal.stage_changed`.',
  'deal.lost': 'A deal came into a lost stage. Beside `deal.stage_changed`.',
  'deal.deleted': 'A deal was deleted.',
  'task.created': 'A task was made.',
  'task.updated': 'A task was changed.',
  'task.completed': 'A task was completed. Beside `task.updated`.',
  'task.deleted': 'A task was deleted.',
  'activity.created': 'An activity was logged.',
  'activity.updated': 'An activity was changed.',
  'activity.deleted': 'An activity was deleted.',
  'product.created': 'A product was made.',
  'product.updated': 'A product was changed.',
  'product.deleted': 'A product was deleted.',
  'tag.created': 'A tag was made.',
  'tag.updated': 'A tag was changed.',
  'tag.deleted': 'A tag was deleted.',
  'pipeline.created': 'A pipeline was made.',
  'pipeline.updated': 'A pipeline was changed.',
  'pipeline.deleted': 'A pipeline was deleted.',
  member_invited: 'Somebody was invited to the workspace.',
  member_joined: 'Somebody joined the workspace.',
  member_removed: 'A member was removed from the workspace.',
  'usage_logs.created': 'An hour is over in which an app called.',
  'webhook.test': 'You asked for it, with `POST /v1/webhooks/{id}/test`. Nobody subscribes to it.',
}

const SIGNATURE = {
  name: 'Webhook-Signature',
  in: 'header',
  description:
    'With `auth_enable`: `sha256=` and the HMAC-SHA256 of the body in hex, as its bytes came. ' +
    'The key is the whole `webhook_secret`, `whsec_` included.',
  schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
  example: 'sha256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}

export const EVENT_PARAMETERS: Readonly<Record<string, Json>> = { 'Webhook-Signature': SIGNATURE }

/** Returns the operations that receivers of webhooks implement, by event. */
export function eventOperations(): Record<string, Json> {
  return Object.fromEntries(DELIVERED_EVENTS.map((event) => [event, { post: eventOperation(event) }]))
}

function eventOperation(event: DeliveredEvent): Json {
  return {
    operationId: `on.${event}`,
    tags: ['Events'],
    summary: event,
    description: TRIGGERS[event],
    security: [],
    parameters: [{ $ref: '#/components/parameters/Webhook-Signature' }],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${envelopeName(event)}` } } },
    },
    responses: {
      '2XX': {
        description:
          'It counts as delivered. ' +
          'Answer within 10 seconds, and answer events that you do not know with a 2xx too.',
      },
      '4XX': {
        description:
          'It is not delivered, as with any other answer and with none: ' +
          'it is tried again three times, 15 minutes apart.',
      },
    },
  }
}
