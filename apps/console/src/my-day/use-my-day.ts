import type { TaskListItem } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { includeInRows } from '../app/permissions.ts'
import { addDays, type Calendar, type Day, endOfWeek } from '../format/calendar.ts'

const MAX_TASKS = 100
const MAX_COMPLETED = 25

/**
 * Tasks that are due until the end of the week, the most urgent first; on Sundays, until tomorrow. Those that were
 * completed today are among them.
 */
export function useDueTasks(isMine: boolean, now: Date) {
  const { crm, me, calendar } = useConsole()
  const today = calendar.dayOf(now)
  const until = calendar.endOfDay(dueUntil(today)).toISOString()
  const filter = { ...includeInRows(me, 'tasks'), ...(isMine && { owner_email: me.email }) }
  const query = {
    ...filter,
    completed: false,
    due_before: until,
    order_by: 'due_date' as const,
    order: 'asc' as const,
    per_page: MAX_TASKS,
  }
  return useQuery({
    queryKey: ['tasks', 'due', today, query],
    queryFn: async ({ signal }): Promise<readonly TaskListItem[]> => {
      const completed = {
        ...filter,
        completed: true,
        due_before: until,
        order_by: 'updated_at' as const,
        order: 'desc' as const,
        per_page: MAX_COMPLETED,
      }
      const lists = await Promise.all([
        crm.tasks.list(query, { signal }),
        crm.tasks.list(completed, { signal }),
      ])
      return mergeByDue(lists[0].data, changedSince(lists[1].data, calendar.startOfDay(today)))
    },
  })
}

function changedSince(tasks: readonly TaskListItem[], instant: Date): readonly TaskListItem[] {
  return tasks.filter(({ updated_at }) => new Date(updated_at) >= instant)
}

/** All tasks in the order of their dates. */
export function mergeByDue(
  open: readonly TaskListItem[],
  completed: readonly TaskListItem[],
): readonly TaskListItem[] {
  return [...open, ...completed].sort((a, b) => (a.due_date ?? '').localeCompare(b.due_date ?? ''))
}

function dueUntil(today: Day): Day {
  const [tomorrow, week] = [addDays(today, 1), endOfWeek(today)]
  return week > tomorrow ? week : tomorrow
}

export type DueSection = 'overdue' | 'today' | 'week'

/** Sorts tasks into the sections of the day. Those without a date belong to none. */
export function groupByDue(
  tasks: readonly TaskListItem[],
  now: Date,
  calendar: Calendar,
): Readonly<Record<DueSection, readonly TaskListItem[]>> {
  const endOfToday = calendar.startOfDay(addDays(calendar.dayOf(now), 1))
  const groups: Record<DueSection, TaskListItem[]> = { overdue: [], today: [], week: [] }
  for (const task of tasks) {
    if (task.due_date === null) continue
    const due = new Date(task.due_date)
    groups[due < now ? 'overdue' : due < endOfToday ? 'today' : 'week'].push(task)
  }
  return groups
}
