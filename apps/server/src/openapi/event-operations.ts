import { DELIVERED_EVENTS, type DeliveredEvent, envelopeName } from './event-envelopes.ts'

type Json = Readonly<Record<string, unknown>>

const TRIGGERS: Readonly<Record<DeliveredEvent, string>> = {
  'person.created': 'A person was created.',
  'person.updated': 'A person was changed.',
  'person.deleted': 'A person was deleted.',
  'company.created': 'A company was created.',
  'company.updated': 'A company was changed.',
  'company.deleted': 'A company was deleted.',
  'deal.created': 'A deal was created.',
  'deal.updated': 'A deal was changed.',
  'deal.stage_changed': 'A deal was moved to another stage. Sent in addition to `deal.updated`.',
  'deal.won': 'A deal was moved to a win stage. Sent in addition to `deal.stage_changed`.',
  'deal.lost': 'A deal was moved to a lost stage. Sent in addition to `deal.stage_changed`.',
  'deal.deleted': 'A deal was deleted.',
  'task.created': 'A task was created.',
  'task.updated': 'A task was changed.',
  'task.completed': 'A task was completed. Sent in addition to `task.updated`.',
  'task.deleted': 'A task was deleted.',
  'activity.created': 'An activity was logged.',
  'activity.updated': 'An activity was changed.',
  'activity.deleted': 'An activity was deleted.',
  'product.created': 'A product was created.',
  'product.updated': 'A product was changed.',
  'product.deleted': 'A product was deleted.',
  'tag.created': 'A tag was created.',
  'tag.updated': 'A tag was changed.',
  'tag.deleted': 'A tag was deleted.',
  'pipeline.created': 'A pipeline was created.',
  'pipeline.updated': 'A pipeline was changed.',
  'pipeline.deleted': 'A pipeline was deleted.',
  member_invited: 'A person was invited to the workspace.',
  member_joined: 'A member joined the workspace.',
  member_removed: 'A member was removed from the workspace.',
  'usage_logs.created': 'An hour in which an app made calls has ended.',
  'webhook.test': 'Requested with `POST /v1/webhooks/{id}/test`. It cannot be subscribed to.',
}

const SIGNATURE = {
  name: 'Webhook-Signature',
  in: 'header',
  description:
    'Sent if `auth_enable` is `true`: `sha256=` and the HMAC-SHA256 of the unparsed body in hex. ' +
    'The key is the whole `webhook_secret`, including `whsec_`.',
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
          'The event is delivered. ' +
          'Respond within 10 seconds, and respond with a 2xx to unknown events too.',
      },
      '4XX': {
        description:
          'The event is not delivered. Any other response, and none, count as a failure too. ' +
          'Up to three retries follow, 15 minutes apart.',
      },
    },
  }
}
