import { EVENT_NAMES, entityOf, eventEntities } from '@sales-crm/core'
import * as v from 'valibot'
import type { Schemas } from './json-schema.ts'
import { pascal } from './told-route.ts'

/** All that is sent to webhooks: what they can ask for, and the event that tests one. */
export const SENT_EVENTS = [...EVENT_NAMES, 'webhook.test'] as const

export type SentEvent = (typeof SENT_EVENTS)[number]

const uuid = v.pipe(v.string(), v.uuid())
const instant = v.pipe(v.string(), v.isoTimestamp())
const entities = Object.keys(eventEntities) as (keyof typeof eventEntities)[]

/** The name of an event's envelope: `PersonEvent`. */
export function envelopeName(event: SentEvent): string {
  return `${pascal(entityOf(event))}Event`
}

/** The envelopes, one for each entity. */
export const EVENT_ENVELOPES: Schemas = Object.fromEntries(
  entities.map((entity) => {
    const events = eventsOf(entity)
    const envelope = { id: uuid, event: v.picklist(events), version: v.literal('v1'), created_at: instant, [entity]: eventEntities[entity] }
    return [envelopeName(events[0]!), v.strictObject(envelope)]
  }),
)

export function eventsOf(entity: keyof typeof eventEntities): SentEvent[] {
  return SENT_EVENTS.filter((event) => entityOf(event) === entity)
}
