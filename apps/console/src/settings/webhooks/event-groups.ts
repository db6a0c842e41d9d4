import type { EventName } from '@sales-crm/client'

export type EventGroup =
  | 'people'
  | 'companies'
  | 'deals'
  | 'tasks'
  | 'activities'
  | 'products'
  | 'tags'
  | 'pipelines'
  | 'members'
  | 'usage'

const GROUPS: Readonly<Record<EventName, EventGroup>> = {
  'person.created': 'people',
  'person.updated': 'people',
  'person.deleted': 'people',
  'company.created': 'companies',
  'company.updated': 'companies',
  'company.deleted': 'companies',
  'deal.created': 'deals',
  'deal.updated': 'deals',
  'deal.stage_changed': 'deals',
  'deal.won': 'deals',
  'deal.lost': 'deals',
  'deal.deleted': 'deals',
  'task.created': 'tasks',
  'task.updated': 'tasks',
  'task.completed': 'tasks',
  'task.deleted': 'tasks',
  'activity.created': 'activities',
  'activity.updated': 'activities',
  'activity.deleted': 'activities',
  'product.created': 'products',
  'product.updated': 'products',
  'product.deleted': 'products',
  'tag.created': 'tags',
  'tag.updated': 'tags',
  'tag.deleted': 'tags',
  'pipeline.created': 'pipelines',
  'pipeline.updated': 'pipelines',
  'pipeline.deleted': 'pipelines',
  member_invited: 'members',
  member_joined: 'members',
  member_removed: 'members',
  'usage_logs.created': 'usage',
}

export const ALL_EVENTS = Object.keys(GROUPS) as readonly EventName[]

/** The events of each group, in their order. */
export const EVENT_GROUPS: readonly (readonly [EventGroup, readonly EventName[]])[] = [
  ...Map.groupBy(ALL_EVENTS, (event) => GROUPS[event]),
]

/** Adds events to a selection, or removes them. The order is always that of all events. */
export function selectEvents(
  selected: readonly EventName[],
  events: readonly EventName[],
  isOn: boolean,
): readonly EventName[] {
  const chosen = new Set(selected)
  for (const event of events)
    if (isOn) chosen.add(event)
    else chosen.delete(event)
  return ALL_EVENTS.filter((event) => chosen.has(event))
}

export type SelectionState = 'all' | 'some' | 'none'

/** How many of some events are selected. */
export function selectionState(
  selected: readonly EventName[],
  events: readonly EventName[],
): { readonly state: SelectionState; readonly count: number } {
  const count = events.filter((event) => selected.includes(event)).length
  if (count === 0) return { state: 'none', count }
  return { state: count === events.length ? 'all' : 'some', count }
}
