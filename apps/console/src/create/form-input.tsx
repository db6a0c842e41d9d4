import type { Stage } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import type { FormField, LinkField } from '../fields/field.ts'
import { RecordPicker } from '../records/record-picker.tsx'
import { Field, Select } from '../ui/field.tsx'
import { MoneyField, TextField } from './inputs.tsx'
import { type RecordDraft, withText } from './record-draft.ts'

interface FormInputProps<Row, Of = FormField<Row>> {
  readonly field: Of
  readonly draft: RecordDraft
  readonly change: (changes: Partial<RecordDraft>) => void
  readonly error: string | undefined
  readonly autoFocus: boolean
  /** Those that a new deal can begin in. */
  readonly stages: readonly Stage[]
}

/** What a form asks for a field with. */
export function FormInput<Row>(props: FormInputProps<Row>) {
  const { field, draft, change, error, autoFocus, stages } = props
  const { texts } = useConsole()
  const label = field.label(texts)
  if (field.type === 'link') return <LinkInput {...props} field={field} />
  if (field.type === 'stage')
    return (
      <Field label={label} error={error}>
        {(ids) => (
          <Select {...ids} value={draft.stageId || stages[0]?.id} change={(stageId) => change({ stageId })}>
            {stages.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
    )
  const value = draft.texts[field.name] ?? ''
  const changeText = (text: string) => ({ texts: withText(draft.texts, field.name, text) })
  if (field.type === 'money')
    return (
      <MoneyField
        label={label}
        currency={draft.currency}
        amount={value}
        change={({ amount, currency }) =>
          change({ ...(amount !== undefined && changeText(amount)), ...(currency && { currency }) })
        }
        error={error}
        hint={field.hint?.(texts)}
      />
    )
  return (
    <TextField
      autoFocus={autoFocus}
      type={field.type}
      label={label}
      error={error}
      value={value}
      change={(text) => change(changeText(text))}
    />
  )
}

function LinkInput<Row>({ field, draft, change, error }: FormInputProps<Row, LinkField<Row>>) {
  const { texts } = useConsole()
  const kinds = field.links.map((link) => (link === 'person' ? 'people' : 'companies'))
  return (
    <Field label={field.label(texts)} error={error}>
      {(ids) => (
        <RecordPicker
          ids={ids}
          kinds={kinds}
          creates={kinds}
          picked={field.links.map((link) => draft.links[link]).find((picked) => picked !== null) ?? null}
          pick={(picked) => {
            const chosen = picked?.kind === 'people' ? 'person' : 'company'
            const links = field.links.map((link) => [link, link === chosen ? picked : null])
            change({ links: { ...draft.links, ...Object.fromEntries(links) } })
          }}
        />
      )}
    </Field>
  )
}
