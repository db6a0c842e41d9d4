import type { CustomFieldType, NewCustomField } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { FormFrame } from '../../create/form-frame.tsx'
import { useCreateForm } from '../../create/use-create-form.ts'
import { Field, Input, Select, Textarea } from '../../ui/field.tsx'
import { showDone } from '../../ui/toasts.tsx'
import { useSettingsTexts } from '../texts.ts'
import { deriveKey, FIELD_TYPES, isSelect, parseOptions } from './field-rules.ts'
import { ShowChecks, type Shows } from './show-checks.tsx'
import { useCustomFieldTexts } from './texts.ts'

interface FieldDraft extends Shows {
  readonly label: string
  /** Undefined while it follows the label. */
  readonly key: string | undefined
  readonly type: CustomFieldType
  readonly options: string
}

const EMPTY: FieldDraft = {
  label: '',
  key: undefined,
  type: 'text',
  options: '',
  required: false,
  show_people: true,
  show_companies: true,
  show_deals: false,
}

/** Creates a custom field, and opens it. */
export function CustomFieldForm({ close }: { readonly close: () => void }) {
  const { crm, texts: shared } = useConsole()
  const settings = useSettingsTexts()
  const texts = useCustomFieldTexts()
  const form = useCreateForm()
  const [, navigate] = useLocation()
  const [draft, setDraft] = useState(EMPTY)
  const set = (changes: Partial<FieldDraft>) => setDraft({ ...draft, ...changes })
  const key = draft.key ?? deriveKey(draft.label)
  const hasOptions = isSelect(draft.type)
  const isMissing = (text: string) => (text.trim() === '' ? shared.errors.required : undefined)

  async function create(): Promise<void> {
    const { id } = await crm.customFields.create(toInput(draft, key))
    close()
    showDone(settings.created(draft.label.trim()))
    navigate(`/settings/custom-fields/${id}`)
  }

  return (
    <FormFrame
      form={form}
      cancel={close}
      submitLabel={shared.create.submit}
      submit={() =>
        form.submit(create, {
          label: isMissing(draft.label),
          key: isMissing(key),
          value: hasOptions ? isMissing(draft.options) : undefined,
        })
      }
    >
      <Field label={texts.label} error={form.errors['label']}>
        {(ids) => (
          <Input {...ids} autoFocus maxLength={40} value={draft.label} change={(label) => set({ label })} />
        )}
      </Field>
      <Field label={texts.key} hint={texts.keyHint} error={form.errors['key']}>
        {(ids) => <Input {...ids} maxLength={35} value={key} change={(value) => set({ key: value })} />}
      </Field>
      <TypeField value={draft.type} change={(type) => set({ type })} error={form.errors['type']} />
      {hasOptions && (
        <OptionsField
          value={draft.options}
          change={(options) => set({ options })}
          error={form.errors['value'] ?? optionError(form.errors)}
        />
      )}
      <ShowChecks shows={draft} change={set} />
    </FormFrame>
  )
}

interface DraftFieldProps<Value> {
  readonly value: Value
  readonly change: (value: Value) => void
  readonly error: string | undefined
}

function TypeField({ value, change, error }: DraftFieldProps<CustomFieldType>) {
  const { labels } = useConsole().texts
  const texts = useCustomFieldTexts()
  return (
    <Field label={labels.type} hint={texts.typeHint} error={error}>
      {(ids) => (
        <Select {...ids} value={value} change={(type) => change(type as CustomFieldType)}>
          {FIELD_TYPES.map((type) => (
            <option key={type} value={type}>
              {texts.types[type]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function OptionsField({ value, change, error }: DraftFieldProps<string>) {
  const texts = useCustomFieldTexts()
  return (
    <Field label={texts.options} hint={texts.optionsHint} error={error}>
      {(ids) => <Textarea {...ids} rows={4} value={value} change={change} />}
    </Field>
  )
}

function toInput({ label, type, options, ...shows }: FieldDraft, key: string): NewCustomField {
  const { required, show_people, show_companies, show_deals } = shows
  return {
    label: label.trim(),
    key: key.trim(),
    type,
    required,
    show_people,
    show_companies,
    show_deals,
    ...(isSelect(type) && { value: { select_list: [...parseOptions(options)] } }),
  }
}

/** The first error of an option, such as of `value.select_list[0].option`. */
function optionError(errors: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(errors).find(([path]) => path.startsWith('value.'))?.[1]
}
