import type { NewTask } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { endOfDay } from '../format/dates.ts'
import { type PickedRecord, RecordPicker } from '../records/record-picker.tsx'
import { useMembers } from '../reference/use-members.ts'
import { useTaskTypes } from '../reference/use-task-types.ts'
import { Field, Input, Select, Textarea } from '../ui/field.tsx'
import { showDone } from '../ui/toasts.tsx'
import { type CreateDefaults, pickedSubject } from './create-defaults.ts'
import { useDraft } from './draft.ts'
import { FormFrame } from './form-frame.tsx'
import styles from './task-form.module.css'
import { useCreateForm } from './use-create-form.ts'

interface TaskFormProps {
  readonly defaults: CreateDefaults
  readonly close: () => void
}

interface TaskDraft {
  readonly title: string
  readonly type: string
  readonly day: string
  readonly time: string
  readonly priority: '' | 'high' | 'medium' | 'low'
  readonly ownerId: string
  readonly notes: string
  readonly subject: PickedRecord | null
}

/** The fields of a task that name what it is about. */
export function subjectFields(subject: PickedRecord | null): Partial<NewTask> {
  if (!subject?.id) return {}
  const { kind, id } = subject
  return { [{ deals: 'deal_id', people: 'person_id', companies: 'company_id' }[kind]]: id }
}

/** The instant of a due date: its time, or the end of its day. */
export function dueInstant(day: string, time: string): string | undefined {
  if (day === '') return undefined
  const date = new Date(`${day}T${time || '12:00'}`)
  if (Number.isNaN(date.getTime())) return undefined
  return (time === '' ? endOfDay(date) : date).toISOString()
}

export function TaskForm({ defaults, close }: TaskFormProps) {
  const { crm, me, texts } = useConsole()
  const form = useCreateForm()
  const types = useTaskTypes()
  const members = useMembers()
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
  const change = (changes: Partial<TaskDraft>) => setDraft({ ...draft, ...changes })

  async function create(): Promise<void> {
    const due_date = dueInstant(draft.day, draft.time)
    const title = draft.title.trim() || (type?.title ?? '')
    await crm.tasks.create({
      title,
      owner_user_id: draft.ownerId,
      ...(type && { type: type.key }),
      ...(due_date && { due_date }),
      ...(draft.priority && { priority: draft.priority }),
      ...(draft.notes.trim() && { notes: draft.notes.trim() }),
      ...subjectFields(draft.subject),
    })
    clearDraft()
    showDone(texts.create.created(title))
    close()
  }

  return (
    <FormFrame
      form={form}
      close={close}
      submitLabel={texts.create.submit}
      submit={() =>
        form.submit(create, {
          title: draft.title.trim() === '' && !type ? texts.faults.required : undefined,
        })
      }
    >
      <Field label={texts.labels.title} fault={form.faults['title']}>
        {(ids) => (
          <Input
            {...ids}
            autoFocus
            placeholder={type?.title}
            value={draft.title}
            change={(value) => change({ title: value })}
          />
        )}
      </Field>
      <div class={styles.row}>
        <Field label={texts.labels.type} fault={form.faults['type']}>
          {(ids) => (
            <Select {...ids} value={type?.key} change={(value) => change({ type: value })}>
              {(types.data ?? []).map(({ key, title }) => (
                <option key={key} value={key}>
                  {title}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={texts.labels.due} fault={form.faults['due_date']}>
          {(ids) => (
            <Input {...ids} type="date" value={draft.day} change={(value) => change({ day: value })} />
          )}
        </Field>
        <Field label={texts.labels.time}>
          {(ids) => (
            <Input {...ids} type="time" value={draft.time} change={(value) => change({ time: value })} />
          )}
        </Field>
      </div>
      <Field
        label={`${texts.labels.deal}, ${texts.labels.person.toLowerCase()}, ${texts.labels.company.toLowerCase()}`}
        fault={form.faults['deal_id'] ?? form.faults['person_id'] ?? form.faults['company_id']}
      >
        {(ids) => (
          <RecordPicker
            ids={ids}
            kinds={['deals', 'people', 'companies']}
            picked={draft.subject}
            pick={(picked) => change({ subject: picked })}
          />
        )}
      </Field>
      <div class={styles.row}>
        <Field label={texts.labels.owner} fault={form.faults['owner_user_id']}>
          {(ids) => (
            <Select {...ids} value={draft.ownerId} change={(value) => change({ ownerId: value })}>
              {(members.data ?? [me]).map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={texts.labels.priority} fault={form.faults['priority']}>
          {(ids) => (
            <Select
              {...ids}
              value={draft.priority}
              change={(priority) => change({ priority: priority as TaskDraft['priority'] })}
            >
              <option value="">–</option>
              {Object.entries(texts.due.priorities).map(([priority, label]) => (
                <option key={priority} value={priority}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Field label={texts.labels.notes} fault={form.faults['notes']}>
        {(ids) => (
          <Textarea {...ids} rows={2} value={draft.notes} change={(value) => change({ notes: value })} />
        )}
      </Field>
    </FormFrame>
  )
}
