import { EVENT_NAMES } from '@sales-crm/core'
import { eventEntities, eventEntity } from '@sales-crm/core/declarations'
import * as v from 'valibot'
import { toPascalCase } from './documented-route.ts'
import type { Schemas } from './json-schema.ts'

/** All events that are delivered: those a webhook can subscribe to, and the test event. */
export const DELIVERED_EVENTS = [...EVENT_NAMES, 'webhook.test'] as const

export type DeliveredEvent = (typeof DELIVERED_EVENTS)[number]

const uuid = v.pipe(v.string(), v.uuid())
const instant = v.pipe(v.string(), v.isoTimestamp())
const entities = Object.keys(eventEntities) as (keyof typeof eventEntities)[]

/** Returns the schema name of an event's envelope, such as `PersonEvent`. */
export function envelopeName(event: DeliveredEvent): string {
  return `${toPascalCase(eventEntity(event))}Event`
}

/** Schemas of the envelopes, one for each entity. */
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
