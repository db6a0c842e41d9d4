import type { CustomField } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { CustomFieldInputs } from '../create/custom-field-inputs.tsx'
import { FormFrame } from '../create/form-frame.tsx'
import { TextField } from '../create/inputs.tsx'
import { useCreateForm } from '../create/use-create-form.ts'
import { listSharedFields, type SharedField } from '../fields/shared-fields.ts'
import { useMenu } from '../reference/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Select } from '../ui/field.tsx'
import text from '../ui/text.module.css'
import { fieldsOfKind } from './facts/fields-of-kind.ts'
import type { CreatableKind } from './kinds.ts'
import { readCustomValue, readSharedValue, type SharedValue } from './shared-values.ts'

interface FieldDialogProps {
  /** What is changed: the name of a record, or the number of them. */
  readonly subject: string
  readonly kind: CreatableKind
  readonly save: (value: SharedValue) => void
  readonly close: () => void
}

/** Gives a field of many records the same value, or none. */
export function FieldDialog({ subject, kind, save, close }: FieldDialogProps) {
  const console = useConsole()
  const { texts } = console
  const form = useCreateForm()
  const fields = listSharedFields(kind)
  const customFields = fieldsOfKind(useMenu('customFields').data ?? [], kind).filter(
    ({ type }) => type !== 'address',
  )
  const [chosenName, setChosenName] = useState<string>()
  const [typed, setTyped] = useState('')
  const name = chosenName ?? fields[0]?.name
  const field = fields.find((each) => each.name === name)
  const customField = customFields.find((each) => nameOf(each) === name)
  const isClearable = field ? field.type !== 'choice' : customField?.required === false
  const clears = isClearable && typed.trim() === ''

  function submit(): void {
    const value = field
      ? readSharedValue(field, typed, console)
      : customField && readCustomValue(customField, typed, console)
    if (name === undefined || value === undefined) return
    if (typeof value === 'string') form.submit(async () => {}, { [name]: value })
    else {
      close()
      save(value)
    }
  }
  return (
    <Dialog title={`${texts.tables.field}: ${subject}`} close={close}>
      <FormFrame
        form={form}
        cancel={close}
        submitLabel={clears ? texts.actions.clear : texts.actions.save}
        submit={submit}
      >
        <Field label={texts.tables.field}>
          {(ids) => (
            <Select
              {...ids}
              autoFocus
              value={name ?? ''}
              change={(next) => {
                setChosenName(next)
                setTyped('')
              }}
            >
              {fields.map((each) => (
                <option key={each.name} value={each.name}>
                  {each.label(texts)}
                </option>
              ))}
              {customFields.map((each) => (
                <option key={each.key} value={nameOf(each)}>
                  {each.label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {field && (
          <SharedInput field={field} value={typed} change={setTyped} error={form.errors[field.name]} />
        )}
        {customField && (
          <CustomFieldInputs
            fields={[customField]}
            values={{ [customField.key]: typed }}
            change={(values) => setTyped(values[customField.key] ?? '')}
            errors={form.errors}
          />
        )}
        {clears && <p class={text.soft}>{texts.tables.fieldHint}</p>}
      </FormFrame>
    </Dialog>
  )
}

/** Also the path of its errors. Its key alone may be the name of another field. */
function nameOf({ key }: CustomField): string {
  return `custom_fields.${key}`
}

interface SharedInputProps {
  readonly field: SharedField
  readonly value: string
  readonly change: (value: string) => void
  readonly error: string | undefined
}

function SharedInput({ field, value, change, error }: SharedInputProps) {
  const { texts } = useConsole()
  const label = field.label(texts)
  if (field.type !== 'choice')
    return (
      <TextField
        label={label}
        type={field.type === 'date' ? 'date' : 'text'}
        value={value}
        change={change}
        error={error}
      />
    )
  return (
    <Field label={label} error={error}>
      {(ids) => (
        <Select {...ids} value={value} change={change}>
          <option value="">–</option>
          {field.choices(texts).map(([each, title]) => (
            <option key={String(each)} value={String(each)}>
              {title}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
