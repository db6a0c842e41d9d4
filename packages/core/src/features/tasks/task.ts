import { type DeriveInput, defineResource } from '../../engine/resource.ts'
import { extractTextTerms, joinTerms } from '../../engine/search-terms.ts'
import type { EventName } from '../../schema/events.ts'
import type { Task } from '../../schema/task.ts'
import { searchFilter } from '../associations/search-filters.ts'
import { taskReminder } from '../notifications/task-reminder.ts'
import { listFilters, listOrder } from '../views/list-filters.ts'

export const tasks = defineResource('tasks', {
  filters: { search: searchFilter<Task>('tasks'), ...listFilters<Task>('tasks') },
  listOrder: listOrder('tasks'),
  searchTerms: ({ title, notes }) => joinTerms(extractTextTerms(`${title}\n${notes ?? ''}`)),
  deriveFields: deriveCompletion,
  extensions: [taskReminder],
  events: taskEvents,
  snapshot: (task) => ({ task }),
})

/** Sets the time of completion when the task is completed, and clears it when it is opened again. */
async function deriveCompletion({
  before,
  fields,
  at,
}: DeriveInput<Task>): Promise<DeriveInput<Task>['fields']> {
  const { completed } = fields
  if (completed === undefined || completed === before?.completed) return fields
  return { ...fields, completed_at: completed ? at : null }
}

/** Completing a task is also an update. */
export function taskEvents(
  before: Pick<Task, 'completed'> | undefined,
  after: Pick<Task, 'completed'> | undefined,
): readonly EventName[] {
  if (!before) return ['task.created']
  if (!after) return ['task.deleted']
  return after.completed && !before.completed ? ['task.updated', 'task.completed'] : ['task.updated']
}
