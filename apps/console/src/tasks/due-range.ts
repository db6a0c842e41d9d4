import type { ListTasksParams } from '@sales-crm/client'
import { addDays, endOfWeek, startOfDay } from '../format/dates.ts'

export const DUE_FILTERS = ['dated', 'overdue', 'today', 'week'] as const
export type DueFilter = (typeof DUE_FILTERS)[number]

const BEGINNING = new Date(0).toISOString()

/** The bounds of a filter by the due date. By default, tasks without one are left out: the service has them first. */
export function dueRange(
  filter: string | null,
  now: Date,
): Pick<ListTasksParams, 'due_after' | 'due_before'> {
  const today = startOfDay(now)
  switch (filter) {
    case 'any':
      return {}
    case 'overdue':
      return { due_before: now.toISOString() }
    case 'today':
      return { due_after: today.toISOString(), due_before: addDays(today, 1).toISOString() }
    case 'week':
      return { due_after: today.toISOString(), due_before: endOfWeek(now).toISOString() }
    default:
      return { due_after: BEGINNING }
  }
}
