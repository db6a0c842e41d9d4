import { DELIVERED_EVENTS, type DeliveredEvent } from '@sales-crm/core/declarations'
import { envelopeName } from './event-envelopes.ts'

type Json = Readonly<Record<string, unknown>>

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
  return Object.fromEntries(
    Object.entries(DELIVERED_EVENTS).map(([event, { description }]) => [
      event,
      { post: eventOperation(event as DeliveredEvent, description) },
    ]),
  )
}

function eventOperation(event: DeliveredEvent, description: string): Json {
  return {
    operationId: `on.${event}`,
    tags: ['Events'],
    summary: event,
    description,
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
