import type { TaskListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { type Change, useChange } from '../cache/use-change.ts'
import { patchRecord } from '../records/edit-records.ts'

interface TaskChangesApi {
  setCompleted(task: TaskListItem, isCompleted: boolean): void
  /** @param due undefined removes the date */
  postpone(task: TaskListItem, due: Date | undefined): void
}

export function useTaskChanges(): TaskChangesApi {
  const { crm, texts, dates } = useConsole()
  const change = useChange()

  const fieldsChange = (
    task: TaskListItem,
    fields: Partial<Pick<TaskListItem, 'completed' | 'due_date'>>,
    done?: string,
  ): Change => ({
    ids: [task.id],
    send: (call) => call(task.id, () => crm.tasks.update(task.id, fields)),
    patchOf: () => patchRecord(task.id, fields),
    done,
  })
  return {
    setCompleted(task, completed) {
      const { completed: completedText, reopened } = texts.myDay
      change({
        ...fieldsChange(task, { completed }, (completed ? completedText : reopened)(task.title)),
        undo: () => fieldsChange(task, { completed: !completed }),
      })
    },
    postpone(task, due) {
      const due_date = due?.toISOString() ?? null
      const when = due ? dates.due(due, new Date()) : texts.due.none
      change({
        ...fieldsChange(task, { due_date }, texts.myDay.postponed(task.title, when)),
        undo: () => fieldsChange(task, { due_date: task.due_date }),
      })
    },
  }
}
