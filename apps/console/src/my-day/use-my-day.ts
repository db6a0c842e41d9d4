import type { Task } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { addDays, endOfWeek, localDay, startOfDay } from '../format/dates.ts'

const MAX_TASKS = 100

/**
 * Tasks that are due until the end of the week, the most urgent first; on Sundays, until tomorrow. Those that are
 * completed here stay, struck through, until the next day.
 */
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
  const queryKey = ['tasks', 'due', localDay(now), query]
  return useQuery({
    queryKey,
    queryFn: async ({ client, signal }): Promise<readonly Task[]> => {
      const { data } = await crm.tasks.list(query, { signal })
      return withCompleted(data, client.getQueryData<readonly Task[]>(queryKey) ?? [])
    },
  })
}

/** Adds the completed tasks that were shown before, in the order of their dates. */
export function withCompleted(open: readonly Task[], shown: readonly Task[]): readonly Task[] {
  const ids = new Set(open.map(({ id }) => id))
  const completed = shown.filter((task) => task.completed && !ids.has(task.id))
  if (completed.length === 0) return open
  return [...open, ...completed].sort((a, b) => (a.due_date ?? '').localeCompare(b.due_date ?? ''))
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
