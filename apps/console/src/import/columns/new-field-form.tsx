import type { CustomFieldType } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useCustomFieldTexts } from '../../settings/custom-fields/texts.ts'
import { Input, Select } from '../../ui/field.tsx'
import { useImportTexts } from '../texts/texts.ts'
import type { ColumnChanges, ColumnRowProps } from './column-row-props.ts'
import styles from './columns.module.css'
import type { Target } from './target.ts'

interface NewFieldFormProps extends Pick<ColumnRowProps, 'change'> {
  readonly target: Target
  /** The name of the column. */
  readonly head: string
}

/** The types that need no more than a name. */
const PLAIN_TYPES: readonly CustomFieldType[] = ['text', 'long_text', 'number', 'date', 'link', 'cpf', 'cnpj']

/** The label and the type of a custom field that is made for a column. */
export function NewFieldForm({ target, change, head }: NewFieldFormProps) {
  const { columns } = useImportTexts()
  const { types } = useCustomFieldTexts()
  const current = target as Target & {
    readonly label?: string
    readonly type?: CustomFieldType
    readonly options?: readonly string[]
  }
  const [label, setLabel] = useState(current.label ?? '')
  const send = (changes: object) =>
    change({ target: { ...target, ...changes } as unknown as ColumnChanges['target'] })
  const saveLabel = () => {
    const trimmed = label.trim()
    if (trimmed !== '' && trimmed !== current.label) send({ label: trimmed })
    else setLabel(current.label ?? '')
  }
  // A selection has the options that the service has found in the values.
  const selections = current.options ? (['select', 'multi_select'] as const) : []
  return (
    <div class={styles.newField}>
      <Input
        small
        maxLength={40}
        aria-label={columns.label(head)}
        value={label}
        change={setLabel}
        onBlur={saveLabel}
        onKeyDown={({ key }) => key === 'Enter' && saveLabel()}
      />
      <Select small aria-label={columns.type(head)} value={current.type} change={(type) => send({ type })}>
        {[...PLAIN_TYPES, ...selections].map((type) => (
          <option key={type} value={type}>
            {types[type]}
          </option>
        ))}
      </Select>
    </div>
  )
}
