/** The events, in the order of documents and lists: the key of the record in their payload, and what they report. */
export const EVENTS = {
  'person.created': { entity: 'person', description: 'A person was created.' },
  'person.updated': { entity: 'person', description: 'A person was changed.' },
  'person.deleted': { entity: 'person', description: 'A person was deleted.' },
  'company.created': { entity: 'company', description: 'A company was created.' },
  'company.updated': { entity: 'company', description: 'A company was changed.' },
  'company.deleted': { entity: 'company', description: 'A company was deleted.' },
  'deal.created': { entity: 'deal', description: 'A deal was created.' },
  'deal.updated': { entity: 'deal', description: 'A deal was changed.' },
  'deal.stage_changed': {
    entity: 'deal',
    description: 'A deal was moved to another stage. Sent in addition to `deal.updated`.',
  },
  'deal.won': {
    entity: 'deal',
    description: 'A deal was moved to a win stage. Sent in addition to `deal.stage_changed`.',
  },
  'deal.lost': {
    entity: 'deal',
    description: 'A deal was moved to a lost stage. Sent in addition to `deal.stage_changed`.',
  },
  'deal.deleted': { entity: 'deal', description: 'A deal was deleted.' },
  'task.created': { entity: 'task', description: 'A task was created.' },
  'task.updated': { entity: 'task', description: 'A task was changed.' },
  'task.completed': {
    entity: 'task',
    description: 'A task was completed. Sent in addition to `task.updated`.',
  },
  'task.deleted': { entity: 'task', description: 'A task was deleted.' },
  'activity.created': { entity: 'activity', description: 'An activity was logged.' },
  'activity.updated': { entity: 'activity', description: 'An activity was changed.' },
  'activity.deleted': { entity: 'activity', description: 'An activity was deleted.' },
  'product.created': { entity: 'product', description: 'A product was created.' },
  'product.updated': { entity: 'product', description: 'A product was changed.' },
  'product.deleted': { entity: 'product', description: 'A product was deleted.' },
  'tag.created': { entity: 'tag', description: 'A tag was created.' },
  'tag.updated': { entity: 'tag', description: 'A tag was changed.' },
  'tag.deleted': { entity: 'tag', description: 'A tag was deleted.' },
  'pipeline.created': { entity: 'pipeline', description: 'A pipeline was created.' },
  'pipeline.updated': { entity: 'pipeline', description: 'A pipeline was changed.' },
  'pipeline.deleted': { entity: 'pipeline', description: 'A pipeline was deleted.' },
  'team.created': { entity: 'team', description: 'A team was created.' },
  'team.updated': {
    entity: 'team',
    description: 'A team was changed, or a member of it was removed from the workspace.',
  },
  'team.deleted': { entity: 'team', description: 'A team was deleted.' },
  member_invited: { entity: 'member', description: 'A person was invited to the workspace.' },
  member_joined: { entity: 'member', description: 'A member joined the workspace.' },
  member_removed: { entity: 'member', description: 'A member was removed from the workspace.' },
  'import.completed': {
    entity: 'import',
    description: 'An import whose records send no events of their own was completed.',
  },
  'usage_logs.created': { entity: 'usage_log', description: 'An hour in which an app made calls has ended.' },
} as const

/** The name of an event: the `event` of a delivery, and an entry of `events` of a webhook. New names are added. */
export type EventName = keyof typeof EVENTS

export const EVENT_NAMES: readonly [EventName, ...EventName[]] = Object.keys(EVENTS) as [
  EventName,
  ...EventName[],
]

/** Requested by a caller; webhooks cannot subscribe to it. */
export const TEST_EVENT = {
  'webhook.test': {
    entity: 'webhook',
    description: 'Requested with `POST /v1/webhooks/{id}/test`. It cannot be subscribed to.',
  },
} as const

/** All events that are delivered. */
export const DELIVERED_EVENTS = { ...EVENTS, ...TEST_EVENT }
export type DeliveredEvent = keyof typeof DELIVERED_EVENTS
