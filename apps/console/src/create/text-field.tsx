import { Field, Input } from '../ui/field.tsx'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly change: (value: string) => void
  readonly fault?: string | undefined
  readonly type?: 'text' | 'email' | 'tel' | 'date' | 'time'
  readonly placeholder?: string | undefined
  readonly autoFocus?: boolean
}

/** A labelled input of one line. */
export function TextField({ label, fault, ...input }: TextFieldProps) {
  return (
    <Field label={label} fault={fault}>
      {(ids) => <Input {...ids} {...input} />}
    </Field>
  )
}
