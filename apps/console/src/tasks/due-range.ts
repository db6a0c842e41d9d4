import type { TaskQuery } from '@sales-crm/client'
import { type Calendar, endOfWeek } from '../format/calendar.ts'

export const DUE_FILTERS = ['dated', 'overdue', 'today', 'week'] as const
export type DueFilter = (typeof DUE_FILTERS)[number]

const BEGINNING = new Date(0).toISOString()

/** The bounds of a filter by the due date. By default, tasks without one are left out: the service has them first. */
export function dueRange(
  filter: string | null,
  now: Date,
  calendar: Calendar,
): Pick<TaskQuery, 'due_after' | 'due_before'> {
  const today = calendar.dayOf(now)
  const due_after = calendar.startOfDay(today).toISOString()
  switch (filter) {
    case 'any':
      return {}
    case 'overdue':
      return { due_before: now.toISOString() }
    case 'today':
      return { due_after, due_before: calendar.endOfDay(today).toISOString() }
    case 'week':
      return { due_after, due_before: calendar.endOfDay(endOfWeek(today)).toISOString() }
    default:
      return { due_after: BEGINNING }
  }
}
