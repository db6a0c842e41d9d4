import {
  DELIVERED_EVENTS,
  type DeliveredEvent,
  eventEntities,
  eventEntity,
} from '@sales-crm/core/declarations'
import * as v from 'valibot'
import type { Schemas } from './json-schema.ts'
import { toPascalCase } from './names.ts'

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
  const events = Object.keys(DELIVERED_EVENTS) as DeliveredEvent[]
  return events.filter((event) => eventEntity(event) === entity)
}
