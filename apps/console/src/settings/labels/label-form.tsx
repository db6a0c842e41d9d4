import { useRef, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useCreateForm } from '../../create/use-create-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { announce } from '../../ui/live-region.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useSettingsTexts } from '../texts.ts'
import { ColourPicker } from './colour-picker.tsx'
import { DEFAULT_COLOUR, type LabelKind, labelCalls, toFields } from './label.ts'
import styles from './label-page.module.css'

const EMPTY = { name: '', colour: DEFAULT_COLOUR, description: '' }
const MAX_DESCRIPTION_LENGTH = 500

interface LabelFormProps {
  readonly kind: LabelKind
  readonly nameLabel: string
}

/** Creates labels, one after the other. */
export function LabelForm({ kind, nameLabel }: LabelFormProps) {
  const { crm, texts } = useConsole()
  const settings = useSettingsTexts()
  const form = useCreateForm()
  const [draft, setDraft] = useState(EMPTY)
  const frame = useRef<HTMLFormElement>(null)
  const name = draft.name.trim()
  const set = (field: keyof typeof EMPTY) => (value: string) => setDraft({ ...draft, [field]: value })

  async function create(): Promise<void> {
    const { colour, description } = draft
    const other = kind.has === 'colour' ? { colour } : { description: description.trim() }
    await labelCalls(crm, kind).create(toFields(kind, { name, ...other }))
    setDraft(EMPTY)
    announce(settings.created(name))
    frame.current?.querySelector('input')?.focus()
  }

  return (
    <form
      ref={frame}
      class={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        form.submit(create, { [kind.nameField]: name === '' ? texts.errors.required : undefined })
      }}
    >
      {form.error && Object.keys(form.errors).length === 0 && <Notice kind="error">{form.error}</Notice>}
      <div class={styles.formLine}>
        {kind.has === 'colour' && (
          <ColourPicker label={settings.labels.colour} value={draft.colour} change={set('colour')} />
        )}
        <div class={styles.formName}>
          <Field label={nameLabel} error={form.errors[kind.nameField] ?? form.errors['key']}>
            {(ids) => (
              <Input {...ids} value={draft.name} maxLength={kind.maxNameLength} change={set('name')} />
            )}
          </Field>
        </div>
        <Button type="submit" icon="plus" aria-busy={form.isBusy}>
          {texts.actions.add}
        </Button>
      </div>
      {kind.has === 'description' && draft.name !== '' && (
        <Field label={texts.labels.description} error={form.errors['description']}>
          {(ids) => (
            <Textarea
              {...ids}
              rows={2}
              maxLength={MAX_DESCRIPTION_LENGTH}
              value={draft.description}
              change={set('description')}
            />
          )}
        </Field>
      )}
    </form>
  )
}
