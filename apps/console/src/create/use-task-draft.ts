import { useConsole } from '../app/console-context.ts'
import type { PickedRecord } from '../records/record-picker.tsx'
import { useTaskTypes } from '../reference/use-task-types.ts'
import { showDone } from '../ui/toasts.tsx'
import { type CreateDefaults, pickedSubject } from './create-defaults.ts'
import { useDraft } from './draft.ts'
import { dueInstant, subjectFields } from './task-input.ts'

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

/** A task that is not created yet, and its creation. A task without a title is named by its type. */
export function useTaskDraft(defaults: CreateDefaults, close: () => void) {
  const { crm, me, texts } = useConsole()
  const types = useTaskTypes()
  const subject = pickedSubject(defaults)
  const [draft, setDraft, clearDraft] = useDraft<TaskDraft>(`tasks.${subject?.id ?? ''}`, {
    title: defaults.name ?? '',
    type: '',
    day: '',
    time: '',
    priority: '',
    ownerId: me.id,
    notes: '',
    subject,
  })
  const type = types.data?.find(({ key }) => key === draft.type) ?? types.data?.[0]

  async function create(): Promise<void> {
    const due_date = dueInstant(draft.day, draft.time)
    const title = draft.title.trim() || (type?.title ?? '')
    const notes = draft.notes.trim()
    await crm.tasks.create({
      title,
      owner_user_id: draft.ownerId,
      ...(type && { type: type.key }),
      ...(due_date && { due_date }),
      ...(draft.priority && { priority: draft.priority }),
      ...(notes && { notes }),
      ...subjectFields(draft.subject),
    })
    clearDraft()
    showDone(texts.create.created(title))
    close()
  }

  return {
    draft,
    change: (changes: Partial<TaskDraft>) => setDraft({ ...draft, ...changes }),
    type,
    types: types.data ?? [],
    create,
  }
}
