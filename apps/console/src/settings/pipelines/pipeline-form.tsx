import { useState } from 'preact/hooks'
import { useLocation } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { useCreateForm } from '../../create/use-create-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './pipeline-page.module.css'
import { usePipelineTexts } from './texts.ts'

const MAX_NAME_LENGTH = 80

/** Creates a pipeline with common stages, and opens it. */
export function PipelineForm() {
  const { crm, texts: shared } = useConsole()
  const texts = usePipelineTexts()
  const form = useCreateForm()
  const [, navigate] = useLocation()
  const [name, setName] = useState('')

  async function create(): Promise<void> {
    const { id } = await crm.pipelines.create({ name: name.trim(), stages: [...texts.firstStages] })
    setName('')
    navigate(`/settings/pipelines/${id}`)
  }

  return (
    <form
      class={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        form.submit(create, { name: name.trim() === '' ? shared.errors.required : undefined })
      }}
    >
      {form.error && Object.keys(form.errors).length === 0 && <Notice kind="error">{form.error}</Notice>}
      <div class={styles.formLine}>
        <div class={styles.formName}>
          <Field label={texts.create} error={form.errors['name']}>
            {(ids) => <Input {...ids} value={name} maxLength={MAX_NAME_LENGTH} change={setName} />}
          </Field>
        </div>
        <Button type="submit" icon="plus" aria-busy={form.isBusy}>
          {shared.actions.add}
        </Button>
      </div>
    </form>
  )
}
