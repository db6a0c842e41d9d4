import { EVENT_NAMES, eventEntities, eventEntity } from '@sales-crm/core'
import * as v from 'valibot'
import { toPascalCase } from './documented-route.ts'
import type { Schemas } from './json-schema.ts'

/** All that is sent to webhooks: what they can ask for, and the event that tests one. */
export const DELIVERED_EVENTS = [...EVENT_NAMES, 'webhook.test'] as const

export type DeliveredEvent = (typeof DELIVERED_EVENTS)[number]

const uuid = v.pipe(v.string(), v.uuid())
const instant = v.pipe(v.string(), v.isoTimestamp())
const entities = Object.keys(eventEntities) as (keyof typeof eventEntities)[]

/** The name of an event's envelope: `PersonEvent`. */
export function envelopeName(event: DeliveredEvent): string {
  return `${toPascalCase(eventEntity(event))}Event`
}

/** The envelopes, one for each entity. */
export const EVENT_ENVELOPES: Schemas = Object.fromEntries(
  entities.map((entity) => {
    const events = eventsOf(entity)
    const envelope = {
      id: uuid,
      event: v.picklist(events),
      version: v.literal('v1'),
      created_at: instant,
      [entity]: eventEntities[entity],
    }
    return [envelopeName(events[0]!), v.strictObject(envelope)]
  }),
)

export function eventsOf(entity: keyof typeof eventEntities): DeliveredEvent[] {
  return DELIVERED_EVENTS.filter((event) => eventEntity(event) === entity)
}
