import type { NewTask, TaskListItem, TaskType } from '@sales-crm/client'
import type { Calendar } from '../format/calendar.ts'
import { collapseSpaces } from '../format/typed-text.ts'
import type { PickedRecord } from '../records/record-picker.tsx'

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
  /** Minutes before the task is due; empty leaves the reminder as it is. */
  readonly reminder: string
}

/** The fields of a task, without what it is about. */
export function buildTaskInput(
  draft: Omit<TaskDraft, 'subject' | 'reminder'>,
  type: TaskType | undefined,
  calendar: Calendar,
) {
  return {
    title: collapseSpaces(draft.title) || (type?.title ?? ''),
    type: type?.key ?? null,
    due_date: calendar.readDate(draft.day, draft.time)?.toISOString() ?? null,
    priority: draft.priority || null,
    owner_user_id: draft.ownerId || null,
    notes: draft.notes.trim() || null,
  }
}

/** Minutes before a task is due at which it reminds its owner. */
export const REMINDER_MINUTES = [0, 10, 60, 1440] as const

/** The reminder of a task that is due at a time of day; nothing if none was chosen. */
export function reminderChanges(
  { day, time, reminder }: Pick<TaskDraft, 'day' | 'time' | 'reminder'>,
  calendar: Calendar,
): Pick<NewTask, 'remind_at'> {
  const due = time === '' ? undefined : calendar.readDate(day, time)
  if (!due || !reminder) return {}
  return { remind_at: new Date(due.getTime() - Number(reminder) * 60_000).toISOString() }
}

/** The fields that differ: what was not typed is not sent, so that a change by somebody else stays. */
export function pickChanges<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const changed = (Object.keys(after) as (keyof Fields)[]).filter((name) => before[name] !== after[name])
  return Object.fromEntries(changed.map((name) => [name, after[name]])) as Partial<Fields>
}

/** The fields that name what a task is about and what that is linked with, if it is another record than before. */
export function subjectChanges(
  task: Pick<TaskListItem, 'deal' | 'person' | 'company'> | undefined,
  subject: PickedRecord | null,
): Pick<NewTask, 'deal_id' | 'person_id' | 'company_id'> {
  const before = task?.deal ?? task?.person ?? task?.company
  if (before?.id === subject?.id) return {}
  const id = (kind: PickedRecord['kind']) => (subject?.kind === kind ? subject.id : undefined)
  return {
    deal_id: id('deals') ?? null,
    person_id: id('people') ?? subject?.links?.person?.id ?? null,
    company_id: id('companies') ?? subject?.links?.company?.id ?? null,
  }
}
