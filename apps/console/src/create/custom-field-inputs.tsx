import type { CustomField } from '@sales-crm/client'
import { DayInput } from '../dates/day-input.tsx'
import { optionsOf } from '../records/facts/custom-values.ts'
import { Field, Input, Select, Textarea } from '../ui/field.tsx'

interface CustomFieldInputsProps {
  readonly fields: readonly CustomField[]
  /** What is typed or chosen, by the key of the field. */
  readonly values: Readonly<Record<string, string>>
  readonly change: (values: Readonly<Record<string, string>>) => void
  readonly errors: Readonly<Record<string, string>>
}

/** What a form asks for custom fields with. */
export function CustomFieldInputs({ fields, values, change, errors }: CustomFieldInputsProps) {
  return fields.map((field) => (
    <Field key={field.key} label={field.label} error={errorOf(field, errors)}>
      {(ids) => {
        const control = {
          ...ids,
          value: values[field.key] ?? '',
          change: (value: string) => change({ ...values, [field.key]: value }),
        }
        if (field.type === 'select' || field.type === 'multi_select')
          return (
            <Select {...control}>
              <option value="">–</option>
              {optionsOf(field).map(({ key, option }) => (
                <option key={key} value={key}>
                  {option}
                </option>
              ))}
            </Select>
          )
        if (field.type === 'long_text') return <Textarea {...control} rows={2} />
        if (field.type === 'date') return <DayInput {...control} />
        const type = field.type === 'link' ? 'url' : 'text'
        return <Input {...control} type={type} inputMode={field.type === 'number' ? 'decimal' : undefined} />
      }}
    </Field>
  ))
}

/** A part of an address has a path of its own. */
function errorOf({ key }: CustomField, errors: Readonly<Record<string, string>>): string | undefined {
  const path = `custom_fields.${key}`
  return Object.entries(errors).find(([name]) => name === path || name.startsWith(`${path}.`))?.[1]
}
