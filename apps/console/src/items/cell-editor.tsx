import { BILLING_CYCLES } from '@sales-crm/core/browser'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { Input, Select } from '../ui/field.tsx'
import type { EditedColumn } from './item-columns.ts'
import styles from './items.module.css'

interface CellEditorProps {
  readonly column: EditedColumn
  readonly label: string
  readonly text: string
  readonly isWhole: boolean
  /** The id of the reason why the text was refused. */
  readonly reasonId: string | undefined
  readonly type: (text: string) => void
  readonly leave: () => void
}

/** The field of a cell that is edited. */
export function CellEditor({ column, label, text, isWhole, reasonId, type, leave }: CellEditorProps) {
  const { texts } = useConsole()
  const [typed, setTyped] = useState(() => (column === 'billing_cycle' ? findCycle(text, texts) : text))
  const control = useRef<HTMLInputElement & HTMLSelectElement>(null)
  const change = (next: string): void => {
    setTyped(next)
    type(next)
  }
  useLayoutEffect(() => {
    const { current } = control
    current?.focus()
    if (column === 'billing_cycle') type(typed)
    else if (isWhole) current?.select()
    else current?.setSelectionRange(text.length, text.length)
  }, [])
  const attributes = {
    ref: control,
    class: styles.editor,
    value: typed,
    change,
    'aria-label': label,
    onBlur: leave,
    ...(reasonId !== undefined && { 'aria-invalid': true as const, 'aria-describedby': reasonId }),
  }
  if (column !== 'billing_cycle')
    return <Input {...attributes} small inputMode={column === 'name' ? undefined : 'decimal'} />
  return (
    <Select {...attributes} small>
      {BILLING_CYCLES.map((cycle) => (
        <option key={cycle} value={cycle}>
          {texts.products.billing[cycle]}
        </option>
      ))}
    </Select>
  )
}

/** The cycle that is chosen: by its value, or by the first letter of its name. */
function findCycle(text: string, { products }: ReturnType<typeof useConsole>['texts']): string {
  const begin = text.toLowerCase()
  return (
    BILLING_CYCLES.find((each) => each === text) ??
    BILLING_CYCLES.find((each) => products.billing[each].toLowerCase().startsWith(begin)) ??
    BILLING_CYCLES[0]
  )
}
