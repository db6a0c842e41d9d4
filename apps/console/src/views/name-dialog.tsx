import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { FormFrame } from '../create/form-frame.tsx'
import { useCreateForm } from '../create/use-create-form.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import { useViewTexts } from './texts.ts'

const MAX_NAME_LENGTH = 80

interface NameDialogProps {
  readonly title: string
  readonly name: string
  /** @returns false if it was not saved, which is said elsewhere */
  readonly save: (name: string) => Promise<boolean>
  readonly close: () => void
}

/** Asks for the name of a view. */
export function NameDialog({ title, name: before, save, close }: NameDialogProps) {
  const { texts: shared } = useConsole()
  const texts = useViewTexts()
  const form = useCreateForm()
  const [name, setName] = useState(before)
  const submit = async () => {
    if (await save(name.trim())) close()
  }
  return (
    <Dialog title={title} close={close}>
      <FormFrame
        form={form}
        cancel={close}
        submitLabel={texts.save}
        submit={() => form.submit(submit, { name: name.trim() === '' ? shared.errors.required : undefined })}
      >
        <Field label={texts.name} error={form.errors['name']}>
          {(ids) => <Input {...ids} autoFocus value={name} maxLength={MAX_NAME_LENGTH} change={setName} />}
        </Field>
      </FormFrame>
    </Dialog>
  )
}
