import type { Task } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { addDays, endOfWeek, startOfDay } from '../format/dates.ts'

const MAX_TASKS = 100

/** Open tasks that are due until the end of the week, the most urgent first; on Sundays, until tomorrow. */
export function useDueTasks(isMine: boolean, now: Date) {
  const { crm, me } = useConsole()
  const until = dueUntil(now)
  const query = {
    completed: false,
    due_before: until.toISOString(),
    order_by: 'due_date' as const,
    order: 'asc' as const,
    per_page: MAX_TASKS,
    ...(isMine && { owner_email: me.email }),
  }
  return useQuery({
    queryKey: ['tasks', 'due', query],
    queryFn: async ({ signal }) => await crm.tasks.list(query, { signal }),
  })
}

function dueUntil(now: Date): Date {
  const tomorrow = addDays(startOfDay(now), 2)
  const week = endOfWeek(now)
  return week > tomorrow ? week : tomorrow
}

export type DueSection = 'overdue' | 'today' | 'week'

/** Sorts tasks into the sections of the day. Those without a date belong to none. */
export function groupByDue(tasks: readonly Task[], now: Date): Readonly<Record<DueSection, readonly Task[]>> {
  const endOfToday = addDays(startOfDay(now), 1)
  const groups: Record<DueSection, Task[]> = { overdue: [], today: [], week: [] }
  for (const task of tasks) {
    if (task.due_date === null) continue
    const due = new Date(task.due_date)
    const isLate = due < now && !task.completed
    groups[isLate ? 'overdue' : due < endOfToday ? 'today' : 'week'].push(task)
  }
  return groups
}
