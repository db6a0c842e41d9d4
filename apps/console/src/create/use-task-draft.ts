import type { Task } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import type { Calendar } from '../format/calendar.ts'
import type { PickedRecord } from '../records/record-picker.tsx'
import { useMenu } from '../reference/queries.ts'
import { type CreateDefaults, pickedSubject, placeOf } from './create-defaults.ts'
import { useDraft } from './draft.ts'

export interface TaskDraft {
  readonly title: string
  /** Key of a task type; empty for the first one. */
  readonly type: string
  readonly day: string
  readonly time: string
  readonly priority: '' | 'high' | 'medium' | 'low'
  readonly ownerId: string
  readonly notes: string
  readonly subject: PickedRecord | null
}

/** What is typed about a new task, or about one that is changed. A task without a title is named by its type. */
export function useTaskDraft(defaults: CreateDefaults, task: Task | undefined) {
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
export function taskPlace(defaults: CreateDefaults, task: Task | undefined): string {
  return task ? `task.${task.id}.${task.updated_at}` : placeOf('tasks', defaults)
}

function subjectsOf({ deal, person, company }: Task): CreateDefaults {
  return { ...(deal && { deal }), ...(person && { person }), ...(company && { company }) }
}

/** A task as it is typed: its date has no seconds. */
export function draftOf(
  { title, type, due_date, priority, owner, notes }: Task,
  calendar: Calendar,
): Omit<TaskDraft, 'subject'> {
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
