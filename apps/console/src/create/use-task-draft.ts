import type { TaskListItem, TaskType } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import type { Calendar } from '../format/calendar.ts'
import { useMenu } from '../reference/queries.ts'
import { showDone } from '../ui/toasts.tsx'
import { type CreateDefaults, pickedSubject, placeOf } from './create-defaults.ts'
import { useDraft } from './draft.ts'
import { buildTaskInput, pickChanges, reminderChanges, subjectChanges, type TaskDraft } from './task-input.ts'

/** What is typed about a new task, or about one that is changed. A task without a title is named by its type. */
export function useTaskDraft(defaults: CreateDefaults, task: TaskListItem | undefined) {
  const { me, calendar } = useConsole()
  const types = useMenu('taskTypes')
  const subject = pickedSubject(task ? subjectsOf(task) : defaults)
  const [draft, setDraft, clear] = useDraft<TaskDraft>(taskPlace(defaults, task), {
    title: defaults.name ?? '',
    type: '',
    day: '',
    time: '',
    priority: 'medium',
    ownerId: me.id,
    notes: '',
    reminder: '',
    subject,
    ...(task && draftOf(task, calendar)),
  })
  const firstType = task ? undefined : types.data?.[0]
  return {
    draft,
    change: (changes: Partial<TaskDraft>) => setDraft({ ...draft, ...changes }),
    clear,
    type: [...(types.data ?? []), task?.type].find((type) => type?.key === draft.type) ?? firstType,
    types: types.data ?? [],
  }
}

/** Where a task is written. What was typed about a task that was changed since is not put over it. */
export function taskPlace(defaults: CreateDefaults, task: TaskListItem | undefined): string {
  return task ? `task.${task.id}.${task.updated_at}` : placeOf('tasks', defaults)
}

function subjectsOf({ deal, person, company }: TaskListItem): CreateDefaults {
  return { ...(deal && { deal }), ...(person && { person }), ...(company && { company }) }
}

/** A task as it is typed: its date has no seconds. */
export function draftOf(
  { title, type, due_date, priority, owner, notes }: TaskListItem,
  calendar: Calendar,
): Omit<TaskDraft, 'subject' | 'reminder'> {
  const due = due_date === null ? undefined : new Date(due_date)
  return {
    title,
    type: type?.key ?? '',
    day: due ? calendar.dayOf(due) : '',
    time: due && calendar.hasTime(due) ? calendar.timeOf(due) : '',
    priority: priority ?? '',
    ownerId: owner?.id ?? '',
    notes: notes ?? '',
  }
}

/** Creates a task from what was typed, or changes the fields of one that differ. */
export function useTaskSubmission(task: TaskListItem | undefined) {
  const { crm, texts, calendar } = useConsole()
  return async (draft: TaskDraft, type: TaskType | undefined): Promise<void> => {
    const input = buildTaskInput(draft, type, calendar)
    if (task) {
      const before = buildTaskInput(draftOf(task, calendar), task.type ?? undefined, calendar)
      const changes = {
        ...pickChanges(before, input),
        ...subjectChanges(task, draft.subject),
        ...reminderChanges(draft, calendar),
      }
      if (Object.keys(changes).length > 0) await crm.tasks.update(task.id, changes)
      showDone(texts.record.saved(input.title))
    } else {
      await crm.tasks.create({
        ...input,
        ...subjectChanges(undefined, draft.subject),
        ...reminderChanges(draft, calendar),
      })
      showDone(texts.create.created(input.title))
    }
  }
}
