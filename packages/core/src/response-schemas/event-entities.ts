import * as v from 'valibot'
import {
  countResponse as count,
  instantResponse as instant,
  responseSchema,
  textResponse as text,
  uuidResponse as uuid,
} from '../kernel/response-schemas.ts'
import { DELIVERED_EVENTS, type DeliveredEvent } from '../schema/events.ts'
import { responseOf } from '../schema/responses.ts'
import type { UsageLogView } from '../schema/usage-log.ts'
import { importItem } from './import-responses.ts'
import { member } from './settings-responses.ts'
import { webhook } from './webhook-responses.ts'

const SCHEMAS = {
  person: v.strictObject({ ...responseOf('people', 'detail').entries, email: v.record(text, text) }),
  company: responseOf('companies', 'detail'),
  deal: responseOf('deals', 'detail'),
  task: responseOf('tasks', 'detail'),
  activity: responseOf('activities', 'detail'),
  product: responseOf('products', 'detail'),
  tag: responseOf('tags', 'detail'),
  pipeline: responseOf('pipelines', 'detail'),
  team: responseOf('teams', 'detail'),
  member: v.strictObject({ ...member.entries, created_at: instant }),
  import: importItem,
  usage_log: responseSchema<UsageLogView>()({
    id: uuid,
    client_id: text,
    period_start: instant,
    period_end: instant,
    requests: v.strictObject({ GET: count, POST: count, PATCH: count, DELETE: count }),
    created_at: instant,
  }),
  webhook,
} as const

export type EventEntity = keyof typeof SCHEMAS

/** Schemas of the entities in event payloads, by key. */
export const eventEntities: Readonly<Record<EventEntity, v.GenericSchema>> = SCHEMAS

/** The key of an event's entity in its payload. */
export function eventEntity(event: DeliveredEvent): EventEntity {
  return DELIVERED_EVENTS[event].entity
}
