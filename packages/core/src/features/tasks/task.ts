import { defineResource } from '../../engine/resource.ts'
import type { EventName } from '../../schema/events.ts'
import type { Task } from '../../schema/task.ts'

export const tasks = defineResource('tasks', {
  events: taskEvents,
  snapshot: (task) => ({ task }),
})

/** Completing a task is also an update. */
export function taskEvents(
  before: Pick<Task, 'completed'> | undefined,
  after: Pick<Task, 'completed'> | undefined,
): readonly EventName[] {
  if (!before) return ['task.created']
  if (!after) return ['task.deleted']
  return after.completed && !before.completed ? ['task.updated', 'task.completed'] : ['task.updated']
}
