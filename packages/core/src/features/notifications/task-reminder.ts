import type { Extension } from '../../engine/extension.ts'
import type { Task } from '../../schema/task.ts'
import { setTimer } from './set-timer.ts'

/** Sets the timer of a task whose reminder changes. When it is due, a task that is done or deleted reminds nobody. */
export const taskReminder: Extension<Task> = {
  async resolve({ remind_at }, before, _transaction, _errors, context) {
    if (remind_at === undefined || remind_at === (before?.remind_at ?? null)) return {}
    return {
      saveParts: ({ id: subject_id, remind_at: due_at }, transaction) =>
        setTimer({ kind: 'task_reminder', subject_id, due_at }, transaction, context),
    }
  },
}
