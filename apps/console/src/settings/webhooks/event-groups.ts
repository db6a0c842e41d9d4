import { EVENT_NAMES, EVENTS, type EventName } from '@sales-crm/core/browser'

/** The events of one kind of record. */
export type EventGroup = (typeof EVENTS)[EventName]['entity']

/** The events of each group, in their order. */
export const EVENT_GROUPS: readonly (readonly [EventGroup, readonly EventName[]])[] = [
  ...Map.groupBy(EVENT_NAMES, (event) => EVENTS[event].entity),
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
  return EVENT_NAMES.filter((event) => chosen.has(event))
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
