import { useRef, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useCreateForm } from '../../create/use-create-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { announce } from '../../ui/live-region.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from '../labels/label-page.module.css'
import { useSettingsTexts } from '../texts.ts'

const MAX_NAME_LENGTH = 60

/** Creates reasons, one after the other. */
export function LostReasonForm() {
  const { crm, texts } = useConsole()
  const settings = useSettingsTexts()
  const form = useCreateForm()
  const [typed, setTyped] = useState('')
  const frame = useRef<HTMLFormElement>(null)
  const name = typed.trim()

  async function create(): Promise<void> {
    await crm.lostReasons.create({ name })
    setTyped('')
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
        form.submit(create, { name: name === '' ? texts.errors.required : undefined })
      }}
    >
      {form.error && Object.keys(form.errors).length === 0 && <Notice kind="error">{form.error}</Notice>}
      <div class={styles.formLine}>
        <div class={styles.formName}>
          <Field label={settings.lostReasons.add} error={form.errors['name']}>
            {(ids) => <Input {...ids} value={typed} maxLength={MAX_NAME_LENGTH} change={setTyped} />}
          </Field>
        </div>
        <Button type="submit" icon="plus" aria-busy={form.isBusy}>
          {texts.actions.add}
        </Button>
      </div>
    </form>
  )
}
