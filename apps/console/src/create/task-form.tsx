import type { TaskListItem, TaskType } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { canAssign } from '../app/permissions.ts'
import { type PickedRecord, RecordPicker } from '../records/record-picker.tsx'
import { useMenu } from '../reference/queries.ts'
import { Field, Select, Textarea } from '../ui/field.tsx'
import type { CreateDefaults } from './create-defaults.ts'
import { FormFrame } from './form-frame.tsx'
import { TextField, TimeField } from './inputs.tsx'
import styles from './task-form.module.css'
import { REMINDER_MINUTES, type TaskDraft } from './task-input.ts'
import { useCreateForm } from './use-create-form.ts'
import { useTaskDraft, useTaskSubmission } from './use-task-draft.ts'

interface TaskFormProps {
  readonly defaults: CreateDefaults
  /** The task that is changed. */
  readonly task?: TaskListItem
  /** After it was saved. */
  readonly close: () => void
  readonly cancel: () => void
}

/** Creates a task, or changes one. */
export function TaskForm({ defaults, task, close, cancel }: TaskFormProps) {
  const { texts, calendar } = useConsole()
  const form = useCreateForm()
  const { draft, change, clear, type, types } = useTaskDraft(defaults, task)
  const submitTask = useTaskSubmission(task)
  async function submit(): Promise<void> {
    await submitTask(draft, type)
    clear()
    close()
  }
  const fields = { draft, change, errors: form.errors }
  return (
    <FormFrame
      form={form}
      cancel={cancel}
      submitLabel={task ? texts.actions.save : texts.create.submit}
      submit={() =>
        form.submit(submit, {
          title: draft.title.trim() === '' && !type ? texts.errors.required : undefined,
          due_date: draft.day === '' || calendar.readDate(draft.day) ? undefined : texts.errors.notADay,
        })
      }
    >
      <TextField
        autoFocus
        label={texts.labels.title}
        error={form.errors['title']}
        placeholder={type?.title}
        value={draft.title}
        change={(title) => change({ title })}
      />
      <WhenFields {...fields} type={type?.key} types={types} />
      {draft.time !== '' && <ReminderField {...fields} isNew={!task} />}
      <SubjectField {...fields} />
      <WhoFields {...fields} task={task} />
      <Field label={texts.labels.notes} error={form.errors['notes']}>
        {(ids) => <Textarea {...ids} rows={2} value={draft.notes} change={(notes) => change({ notes })} />}
      </Field>
    </FormFrame>
  )
}

interface TaskFieldsProps {
  readonly draft: TaskDraft
  readonly change: (changes: Partial<TaskDraft>) => void
  readonly errors: Readonly<Record<string, string>>
}

interface WhenFieldsProps extends TaskFieldsProps {
  readonly type: string | undefined
  readonly types: readonly TaskType[]
}

function WhenFields({ draft, change, errors, type, types }: WhenFieldsProps) {
  const { texts } = useConsole()
  return (
    <div class={styles.row}>
      <Field label={texts.labels.type} error={errors['type']}>
        {(ids) => (
          <Select {...ids} value={type} change={(key) => change({ type: key })}>
            {type === undefined && <option value="">–</option>}
            {types.map(({ key, title }) => (
              <option key={key} value={key}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <TextField
        type="date"
        label={texts.labels.due}
        error={errors['due_date']}
        value={draft.day}
        change={(day, time) => change({ day, ...(time !== undefined && { time }) })}
      />
      <TimeField value={draft.time} change={(time) => change({ time })} />
    </div>
  )
}

interface ReminderFieldProps extends TaskFieldsProps {
  readonly isNew: boolean
}

/** For tasks with a time of day. */
function ReminderField({ draft, change, errors, isNew }: ReminderFieldProps) {
  const { reminder } = useConsole().texts.due
  return (
    <Field label={reminder.label} error={errors['remind_at']}>
      {(ids) => (
        <Select {...ids} value={draft.reminder} change={(minutes) => change({ reminder: minutes })}>
          <option value="">{isNew ? reminder.none : reminder.unchanged}</option>
          {REMINDER_MINUTES.map((minutes) => (
            <option key={minutes} value={String(minutes)}>
              {reminder.choices[minutes]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function SubjectField({ draft, change, errors }: TaskFieldsProps) {
  const { deal, person, company } = useConsole().texts.labels
  return (
    <Field
      label={`${deal}, ${person.toLowerCase()}, ${company.toLowerCase()}`}
      error={errors['deal_id'] ?? errors['person_id'] ?? errors['company_id']}
      hint={linkedNames(draft.subject)}
    >
      {(ids) => (
        <RecordPicker
          ids={ids}
          kinds={['deals', 'people', 'companies']}
          picked={draft.subject}
          pick={(subject) => change({ subject })}
        />
      )}
    </Field>
  )
}

/** Who else a task is about. */
function linkedNames(subject: PickedRecord | null): string {
  const { person, company } = subject?.links ?? {}
  return [person, company].flatMap((contact) => contact?.full_name ?? []).join(' · ')
}

interface WhoFieldsProps extends TaskFieldsProps {
  readonly task: TaskListItem | undefined
}

function WhoFields({ draft, change, errors, task }: WhoFieldsProps) {
  const { me, texts } = useConsole()
  const members = useMenu('members')
  const assignable = (members.data ?? [me]).filter(
    (member) => member.id === draft.ownerId || canAssign(me, member, 'tasks', task && [task]),
  )
  return (
    <div class={styles.row}>
      <Field label={texts.labels.owner} error={errors['owner_user_id']}>
        {(ids) => (
          <Select {...ids} value={draft.ownerId} change={(ownerId) => change({ ownerId })}>
            {draft.ownerId === '' && <option value="">{texts.deals.noOwner}</option>}
            {assignable.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={texts.labels.priority} error={errors['priority']}>
        {(ids) => (
          <Select
            {...ids}
            value={draft.priority}
            change={(priority) => change({ priority: priority as TaskDraft['priority'] })}
          >
            {draft.priority === '' && <option value="">–</option>}
            {Object.entries(texts.due.priorities).map(([priority, label]) => (
              <option key={priority} value={priority}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  )
}
