import type { Task, TaskType } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { showDone } from '../ui/toasts.tsx'
import { buildTaskInput, pickChanges, subjectChanges } from './task-input.ts'
import { draftOf, type TaskDraft } from './use-task-draft.ts'

/** Creates a task from what was typed, or changes the fields of one that differ. */
export function useTaskSubmission(task: Task | undefined) {
  const { crm, texts, calendar } = useConsole()
  return async (draft: TaskDraft, type: TaskType | undefined): Promise<void> => {
    const input = buildTaskInput(draft, type, calendar)
    if (task) {
      const before = buildTaskInput(draftOf(task, calendar), task.type ?? undefined, calendar)
      const changes = { ...pickChanges(before, input), ...subjectChanges(task, draft.subject) }
      if (Object.keys(changes).length > 0) await crm.tasks.update(task.id, changes)
      showDone(texts.record.saved(input.title))
    } else {
      await crm.tasks.create({ ...input, ...subjectChanges(undefined, draft.subject) })
      showDone(texts.create.created(input.title))
    }
  }
}
